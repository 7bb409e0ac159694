import { ApiSchema } from '@nestjs/swagger';
import { CodeField, StringField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'The verification code and the new nickname of the order.' })
export class ChangeNicknameDto {
  // A malformed code is rejected here, so it uses no attempt.
  @CodeField({
    grouped: true,
    minLength: 8,
    maxLength: 8,
    pattern: { regex: /^\d{8}$/, says: 'must be 8 digits' },
    description: 'The code from the email: 8 digits. Spaces and hyphens between them are ignored.',
    example: '04711729',
  })
  verificationCode!: string;

  @StringField({
    maxLength: 32,
    description: "The new nickname. It must follow the shop's nickname rule, and be safe in the commands of the order.",
    example: 'Alex_42',
  })
  newNickname!: string;
}
