import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  EmailField,
  IntegerField,
  PasswordField,
  StringField,
} from '../../../http/validation/fields.js';
import { NEW_PASSWORD } from './new-password.js';
import { SessionsEndedDto } from './session.dto.js';
import { SignedInDto } from './signed-in.dto.js';

@ApiSchema({ description: 'The current password of the caller, and the new one.' })
export class ChangePasswordDto {
  @PasswordField({ description: 'The current password.', example: 'correct horse battery' })
  currentPassword!: string;

  @PasswordField(NEW_PASSWORD)
  newPassword!: string;
}

@ApiSchema({
  description: 'The account, the tokens of the new session, and how many sessions ended.',
})
export class PasswordChangedDto extends SignedInDto {
  @IntegerField({
    minimum: 1,
    maximum: 1_000_000,
    description: 'How many sessions were ended, including the one of this request.',
    example: 1,
  })
  sessionsEnded!: number;
}

@ApiSchema({ description: 'The email address of an account whose password is forgotten.' })
export class ForgotPasswordDto {
  @EmailField({ description: 'The email address of the account.', example: 'owner@example.com' })
  email!: string;
}

@ApiSchema({ description: 'The response to every request for a password reset.' })
export class ResetRequestedDto {
  @ChoiceField({
    oneOf: ['accepted'],
    description: 'Always the same, also when there is no such account.',
    example: 'accepted',
  })
  status!: 'accepted';
}

@ApiSchema({ description: 'The token from the email, and the new password.' })
export class ResetPasswordDto {
  @StringField({
    maxLength: 128,
    description: 'The token from the email.',
    example: 'shw_an-opaque-text-of-43-characters',
  })
  token!: string;

  @PasswordField(NEW_PASSWORD)
  newPassword!: string;

  @BooleanField({
    optional: true,
    description:
      'Whether your API keys in all shops are revoked too. Front ends and plugins that use them stop working.',
    example: false,
    default: false,
  })
  revokeApiKeys?: boolean;
}

@ApiSchema({ description: 'What a password reset ended.' })
export class PasswordResetOutcomeDto extends SessionsEndedDto {
  @IntegerField({ minimum: 0, maximum: 1_000_000, description: 'How many API keys were revoked.', example: 0 })
  apiKeysRevoked!: number;
}
