import { ApiSchema } from '@nestjs/swagger';
import { EmailField, PasswordField, StringField } from '../../../http/validation/fields.js';
import { MAX_USER_NAME_LENGTH } from '../../../accounts/users/user.types.js';
import { NEW_PASSWORD } from './new-password.js';

@ApiSchema({ description: 'A new account.' })
export class RegisterDto {
  @EmailField({ description: 'The email address for the login.', example: 'owner@example.com' })
  email!: string;

  @PasswordField(NEW_PASSWORD)
  password!: string;

  @StringField({
    maxLength: MAX_USER_NAME_LENGTH,
    description: 'The name that other team members see.',
    example: 'Alex',
  })
  name!: string;

  @StringField({
    optional: true,
    maxLength: 128,
    description:
      'The token from the email of an invitation to this address. Required when the operator admits only invited people. The invitation stays open: accept or decline it afterwards.',
    example: 'shi_an-opaque-text-of-43-characters',
  })
  invitationToken?: string;
}
