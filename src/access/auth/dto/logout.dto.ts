import { ApiSchema } from '@nestjs/swagger';
import { StringField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'The refresh token of the session to end.' })
export class LogoutDto {
  @StringField({
    maxLength: 128,
    description: 'Any refresh token of the session.',
    example: 'shr_an-opaque-text-of-43-characters',
  })
  refreshToken!: string;
}
