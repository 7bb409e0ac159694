import { ApiSchema } from '@nestjs/swagger';
import { MAX_USER_NAME_LENGTH } from '../../../accounts/users/user.types.js';
import { ChoiceField, EmailField, PasswordField, StringField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'What changes in the account of the caller.' })
export class UpdateAccountDto {
  @StringField({
    maxLength: MAX_USER_NAME_LENGTH,
    description: 'The name that other team members see.',
    example: 'Alex',
  })
  name!: string;
}

@ApiSchema({ description: 'The new email address, and the password of the caller.' })
export class ChangeEmailDto {
  @EmailField({ description: 'The new email address of the account.', example: 'alex@example.com' })
  newEmail!: string;

  @PasswordField({ description: 'The current password.', example: 'correct horse battery' })
  currentPassword!: string;
}

@ApiSchema({ description: 'The response to a request for another email address.' })
export class EmailChangeRequestedDto {
  @ChoiceField({
    oneOf: ['confirmation_sent'],
    description: 'Always the same, also when the address has an account.',
    example: 'confirmation_sent',
  })
  status!: 'confirmation_sent';
}

@ApiSchema({ description: 'The token from the email to the new address.' })
export class ConfirmEmailDto {
  @StringField({
    maxLength: 128,
    description: 'The token from the email.',
    example: 'shm_an-opaque-text-of-43-characters',
  })
  token!: string;
}

@ApiSchema({ description: 'The result of a confirmation.' })
export class EmailChangedDto {
  @ChoiceField({ oneOf: ['changed'], description: 'The account has the new address.', example: 'changed' })
  status!: 'changed';
}

@ApiSchema({ description: 'The password of the caller.' })
export class CloseAccountDto {
  @PasswordField({ description: 'The current password.', example: 'correct horse battery' })
  currentPassword!: string;
}

@ApiSchema({ description: 'The result of closing an account.' })
export class AccountClosedDto {
  @ChoiceField({ oneOf: ['closed'], description: 'The account is deleted.', example: 'closed' })
  status!: 'closed';
}
