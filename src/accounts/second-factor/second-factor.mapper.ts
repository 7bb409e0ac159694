import { type RecoveryCodesDto, type SecondFactorDto, type SecondFactorSetupDto } from './dto/second-factor.dto.js';
import { type SecondFactorSetup, type SecondFactorStatus } from './second-factor.service.js';

export function toSecondFactorDto({ enabled, recoveryCodesLeft }: SecondFactorStatus): SecondFactorDto {
  return { enabled, recoveryCodesLeft };
}

export function toSetupDto({ secret, uri, expiresAt, emailCodeSent }: SecondFactorSetup): SecondFactorSetupDto {
  return { secret, uri, expiresAt: expiresAt.toISOString(), emailCodeSent };
}

export function toRecoveryCodesDto(codes: readonly string[]): RecoveryCodesDto {
  return { recoveryCodes: [...codes] };
}
