import { EmailField, TextField } from '../../common/validation/fields.js';

export class LoginDto {
  @EmailField({ description: 'The address of the account.', example: 'owner@example.com' })
  email!: string;

  @TextField({ maxLength: 128, description: 'The password.', example: 'correct horse battery' })
  password!: string;
}
