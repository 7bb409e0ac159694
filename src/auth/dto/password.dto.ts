import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField, EmailField, IntegerField, TextField } from '../../common/validation/fields.js';
import { NEW_PASSWORD } from './new-password.js';
import { SignedInDto } from './signed-in.dto.js';

@ApiSchema({ description: 'The password of the caller, now and from now on.' })
export class ChangePasswordDto {
  @TextField({ maxLength: 128, description: 'The password now.', example: 'correct horse battery' })
  currentPassword!: string;

  @TextField(NEW_PASSWORD)
  newPassword!: string;
}

@ApiSchema({
  description: 'The tokens of the session that goes on, whose they are, and what came of the earlier sessions.',
})
export class PasswordChangedDto extends SignedInDto {
  @IntegerField({
    minimum: 1,
    maximum: 1_000_000,
    description: 'How many sessions were ended, the one of the request included.',
    example: 1,
  })
  sessionsEnded!: number;
}

@ApiSchema({ description: 'The address of an account whose password is forgotten.' })
export class ForgotPasswordDto {
  @EmailField({ description: 'The address of the account.', example: 'owner@example.com' })
  email!: string;
}

@ApiSchema({ description: 'The answer to every request for a password reset.' })
export class ResetRequestedDto {
  @ChoiceField({
    oneOf: ['accepted'],
    description: 'Always the same, whether or not there is such an account.',
    example: 'accepted',
  })
  status!: 'accepted';
}

@ApiSchema({ description: 'The token from the mail, and the password to set.' })
export class ResetPasswordDto {
  @TextField({
    maxLength: 128,
    description: 'The token from the mail.',
    example: 'shw_an-opaque-text-of-43-characters',
  })
  token!: string;

  @TextField(NEW_PASSWORD)
  newPassword!: string;
}
