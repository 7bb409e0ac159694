import { ApiSchema } from '@nestjs/swagger';
import { CodeField, PasswordField } from '../../../http/validation/fields.js';

const PASSWORD = { description: 'The current password.', example: 'correct horse battery' } as const;

@ApiSchema({ description: 'The password of the caller.' })
export class SetUpSecondFactorDto {
  @PasswordField(PASSWORD)
  password!: string;
}

@ApiSchema({ description: 'The first code of the authenticator app, and the code from the email, if there was one.' })
export class ConfirmSecondFactorDto {
  @CodeField({ grouped: true, maxLength: 20, description: 'The six digits that the app shows.', example: '123456' })
  code!: string;

  @CodeField({
    grouped: true,
    maxLength: 20,
    optional: true,
    description: 'The 8 digits from the email; required after a setup that returned `emailCodeSent: true`.',
    example: '12345678',
  })
  emailCode?: string;
}

@ApiSchema({ description: 'The password and the second factor of the caller.' })
export class SecondFactorProofDto {
  @PasswordField(PASSWORD)
  password!: string;

  @CodeField({
    grouped: true,
    maxLength: 20,
    description: 'The six digits that the app shows, or a recovery code.',
    example: '123456',
  })
  code!: string;
}
