import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField, IntegerField, StringField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'The tokens of a session.' })
export class TokensDto {
  @StringField({
    maxLength: 2048,
    description: 'The bearer token (a JWT).',
    example: 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl',
  })
  accessToken!: string;

  @StringField({
    maxLength: 128,
    description: 'Can be exchanged once for new tokens. Expires 30 days after the login.',
    example: 'shr_an-opaque-text-of-43-characters',
  })
  refreshToken!: string;

  @ChoiceField({ oneOf: ['Bearer'], description: 'How to send the access token.', example: 'Bearer' })
  tokenType!: 'Bearer';

  @IntegerField({
    minimum: 1,
    maximum: 86_400,
    description: 'The lifetime of the access token in seconds.',
    example: 900,
  })
  expiresIn!: number;
}
