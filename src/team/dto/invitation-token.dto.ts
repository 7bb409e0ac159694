import { ApiSchema } from '@nestjs/swagger';
import { TextField } from '../../common/validation/fields.js';

@ApiSchema({ description: 'The invitation that is answered.' })
export class InvitationTokenDto {
  @TextField({
    maxLength: 128,
    description: 'The token from the mail.',
    example: 'shi_an-opaque-text-of-43-characters',
  })
  token!: string;
}
