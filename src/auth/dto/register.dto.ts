import { ApiSchema } from '@nestjs/swagger';
import { EmailField, TextField } from '../../common/validation/fields.js';
import { NEW_PASSWORD } from './new-password.js';

@ApiSchema({ description: 'An account to open.' })
export class RegisterDto {
  @EmailField({ description: 'The address to log in with.', example: 'owner@example.com' })
  email!: string;

  @TextField(NEW_PASSWORD)
  password!: string;

  @TextField({ maxLength: 80, description: 'The name that team mates see.', example: 'Alex' })
  name!: string;
}
