import { ApiSchema } from '@nestjs/swagger';
import { TextField } from '../../../platform/validation/fields.js';

@ApiSchema({ description: 'The refresh token of the session to end.' })
export class LogoutDto {
  @TextField({
    maxLength: 128,
    description: 'Any refresh token of the session.',
    example: 'shr_an-opaque-text-of-43-characters',
  })
  refreshToken!: string;
}
