import { ApiSchema } from '@nestjs/swagger';
import { EmailField, PasswordField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'The email address and the password of an account.' })
export class LoginDto {
  @EmailField({ description: 'The email address of the account.', example: 'owner@example.com' })
  email!: string;

  @PasswordField({ description: 'The password.', example: 'correct horse battery' })
  password!: string;
}
