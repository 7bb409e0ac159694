import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  IntegerField,
  StringField,
  StringListField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { RECOVERY_CODES } from '../second-factor-rules.js';

@ApiSchema({ description: 'Whether logins of the caller need a second factor.' })
export class SecondFactorDto {
  @BooleanField({ description: 'Whether it is switched on.', example: true })
  enabled!: boolean;

  @IntegerField({
    minimum: 0,
    maximum: RECOVERY_CODES,
    description: 'How many recovery codes are not used yet.',
    example: 10,
  })
  recoveryCodesLeft!: number;
}

@ApiSchema({ description: 'A secret for an authenticator app. It is shown only once.' })
export class SecondFactorSetupDto {
  @StringField({
    maxLength: 64,
    description: 'The secret in base32, for typing.',
    example: '(32-letters-shown-this-once)',
  })
  secret!: string;

  @StringField({
    maxLength: 500,
    description: 'The secret as an `otpauth` URI, for a QR code.',
    example: 'otpauth://totp/Shop%20Platform:owner%40example.com?issuer=Shop%20Platform&secret=...',
  })
  uri!: string;

  @TimestampField({
    description: 'When the setup expires unless a code confirms it.',
    example: '2026-11-21T13:00:00.000Z',
  })
  expiresAt!: string;

  @BooleanField({
    description:
      'Whether a code was sent to the email address of the account, which was not verified yet. The confirmation needs it as ' +
      '`emailCode`.',
    example: true,
  })
  emailCodeSent!: boolean;
}

@ApiSchema({
  description: 'New recovery codes. They are shown only once. Each works once instead of a code of the app.',
})
export class RecoveryCodesDto {
  @StringListField({
    minItems: RECOVERY_CODES,
    maxItems: RECOVERY_CODES,
    maxLength: 11,
    description: 'The codes. They replace all previous ones.',
    example: Array.from({ length: RECOVERY_CODES }, () => 'abcde-fghjk'),
  })
  recoveryCodes!: string[];
}
