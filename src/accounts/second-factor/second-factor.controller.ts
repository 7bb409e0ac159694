import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Auth, Authenticated } from '../../http/routes/access.decorators.js';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { ConfirmSecondFactorDto, SecondFactorProofDto, SetUpSecondFactorDto } from './dto/second-factor-proof.dto.js';
import { RecoveryCodesDto, SecondFactorDto, SecondFactorSetupDto } from './dto/second-factor.dto.js';
import { toRecoveryCodesDto, toSecondFactorDto, toSetupDto } from './second-factor.mapper.js';
import { SecondFactorService } from './second-factor.service.js';

/** The caller's own second factor. */
@ApiTags('Accounts')
@Controller('auth/second-factor')
export class SecondFactorController {
  constructor(private readonly secondFactor: SecondFactorService) {}

  @Get()
  @Authenticated()
  @ApiOperation({
    summary: 'Read my second factor',
    description: 'Whether it is on, and how many recovery codes are left.',
  })
  @RespondsWith(SecondFactorDto, 'Second factor retrieved')
  async get(@Auth() auth: AuthContext): Promise<SecondFactorDto> {
    return toSecondFactorDto(await this.secondFactor.statusOf(auth.userId));
  }

  @Post('setup')
  @Authenticated()
  @RateLimit('passwordCheck')
  @DocumentedErrors('password_wrong', 'emails_off', 'second_factor_on', 'state_conflict')
  @ApiOperation({
    summary: 'Set up a second factor',
    description:
      'Returns a secret for an authenticator app. The secret is shown only once. The second factor is off until you confirm it with ' +
      'the first code. `emailCodeSent`: your email address was not verified yet, so we have sent a code to it, which the confirmation ' +
      'needs too.',
  })
  @RespondsWith(SecondFactorSetupDto, 'Secret created; it is shown only once')
  async setUp(@Auth() auth: AuthContext, @Body() body: SetUpSecondFactorDto): Promise<SecondFactorSetupDto> {
    return toSetupDto(await this.secondFactor.setUp(auth, body.password));
  }

  @Post('confirm')
  @Authenticated()
  @DocumentedErrors(
    'verification_code_invalid',
    'second_factor_code_invalid',
    'second_factor_on',
    'second_factor_off',
    'state_conflict',
  )
  @ApiOperation({
    summary: 'Switch my second factor on',
    description:
      'Needs the first code of the app and, after a setup with `emailCodeSent`, the code from the email, which verifies your ' +
      'address. Returns ten recovery codes, which are shown only once.',
  })
  @RespondsWith(RecoveryCodesDto, 'Second factor switched on; the recovery codes are shown only once')
  async confirm(@Auth() auth: AuthContext, @Body() body: ConfirmSecondFactorDto): Promise<RecoveryCodesDto> {
    return toRecoveryCodesDto(await this.secondFactor.confirm(auth, body.code, body.emailCode ?? null));
  }

  @Post('disable')
  @Authenticated()
  @RateLimit('passwordCheck')
  @DocumentedErrors('password_wrong', 'second_factor_code_invalid', 'second_factor_off')
  @ApiOperation({
    summary: 'Switch my second factor off',
    description: 'Needs the password, and a code of the app or a recovery code.',
  })
  @RespondsWith(SecondFactorDto, 'Second factor switched off')
  async disable(@Auth() auth: AuthContext, @Body() body: SecondFactorProofDto): Promise<SecondFactorDto> {
    await this.secondFactor.disable(auth, body.password, body.code);
    return { enabled: false, recoveryCodesLeft: 0 };
  }

  @Post('recovery-codes')
  @Authenticated()
  @RateLimit('passwordCheck')
  @DocumentedErrors('password_wrong', 'second_factor_code_invalid', 'second_factor_off')
  @ApiOperation({
    summary: 'Renew my recovery codes',
    description:
      'Needs the password, and a code of the app or a recovery code. The previous recovery codes stop working.',
  })
  @RespondsWith(RecoveryCodesDto, 'Recovery codes renewed; they are shown only once')
  async renewRecoveryCodes(@Auth() auth: AuthContext, @Body() body: SecondFactorProofDto): Promise<RecoveryCodesDto> {
    return toRecoveryCodesDto(await this.secondFactor.renewRecoveryCodes(auth, body.password, body.code));
  }
}
