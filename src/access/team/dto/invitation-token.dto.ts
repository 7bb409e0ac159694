import { ApiSchema } from '@nestjs/swagger';
import { StringField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'The invitation to accept or decline.' })
export class InvitationTokenDto {
  @StringField({
    maxLength: 128,
    description: 'The token from the email.',
    example: 'shi_an-opaque-text-of-43-characters',
  })
  token!: string;
}
