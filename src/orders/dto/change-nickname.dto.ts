import { ApiSchema } from '@nestjs/swagger';
import { TextField } from '../../common/validation/fields.js';

@ApiSchema({ description: 'The verification code, and the nickname that the order is to have.' })
export class ChangeNicknameDto {
  // A malformed code is refused here, where it costs no try.
  @TextField({
    minLength: 8,
    maxLength: 8,
    pattern: { regex: /^\d{8}$/, says: 'must be 8 digits' },
    description: 'The code from the mail: 8 digits.',
    example: '04711729',
  })
  verificationCode!: string;

  @TextField({ maxLength: 32, description: "The new nickname, by the shop's rule.", example: 'Alex_42' })
  newNickname!: string;
}
