import { TextField } from '../../common/validation/fields.js';

export class ChangeNicknameDto {
  @TextField({ maxLength: 32, description: 'The code from the mail: 8 digits.', example: '04711729' })
  verificationCode!: string;

  @TextField({ maxLength: 32, description: "The new nickname, by the shop's rule.", example: 'Alex_42' })
  newNickname!: string;
}
