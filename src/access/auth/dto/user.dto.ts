import { ApiSchema } from '@nestjs/swagger';
import { BooleanField, EmailField, IdField, StringField, TimestampField } from '../../../http/validation/fields.js';
import { MAX_USER_NAME_LENGTH } from '../../../accounts/users/user.types.js';

@ApiSchema({ description: 'An account, as its owner sees it.' })
export class UserDto {
  @IdField({ description: 'Identifier of the account.', example: '655f1c2ab1e4a9d3f0c81230' })
  id!: string;

  @EmailField({ description: 'The email address of the account.', example: 'owner@example.com' })
  email!: string;

  @BooleanField({
    description: 'Whether the person has confirmed the address: with a token or a code from an email to it.',
    example: true,
  })
  emailConfirmed!: boolean;

  @StringField({
    maxLength: MAX_USER_NAME_LENGTH,
    description: 'The name that other team members see.',
    example: 'Alex',
  })
  name!: string;

  @TimestampField({ description: 'When the account was created.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}
