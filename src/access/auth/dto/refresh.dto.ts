import { ApiSchema } from '@nestjs/swagger';
import { StringField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'The refresh token to exchange for new tokens.' })
export class RefreshDto {
  @StringField({
    maxLength: 128,
    description: 'The latest refresh token of the session. It works once.',
    example: 'shr_an-opaque-text-of-43-characters',
  })
  refreshToken!: string;
}
