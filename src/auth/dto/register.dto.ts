import { ApiSchema } from '@nestjs/swagger';
import { EmailField, TextField } from '../../common/validation/fields.js';

@ApiSchema({ description: 'An account to open.' })
export class RegisterDto {
  @EmailField({ description: 'The address to log in with.', example: 'owner@example.com' })
  email!: string;

  @TextField({
    minLength: 10,
    maxLength: 128,
    description: 'At least 10 characters; no rules about kinds of characters.',
    example: 'correct horse battery',
  })
  password!: string;

  @TextField({ maxLength: 80, description: 'The name that team mates see.', example: 'Alex' })
  name!: string;
}
