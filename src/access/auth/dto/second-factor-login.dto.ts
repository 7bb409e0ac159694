import { ApiSchema } from '@nestjs/swagger';
import { CodeField, ObjectField, StringField, TimestampField } from '../../../http/validation/fields.js';

const TOKEN = 'shs_an-opaque-text-of-43-characters';

@ApiSchema({ description: 'A login that waits for its second factor.' })
export class LoginChallengeDto {
  @StringField({
    maxLength: 128,
    description: 'The token for the second step. It works for nothing else.',
    example: TOKEN,
  })
  token!: string;

  @TimestampField({ description: 'When the token expires.', example: '2026-11-21T12:05:00.000Z' })
  expiresAt!: string;
}

@ApiSchema({ description: 'The password is correct, and the account has a second factor.' })
export class SecondFactorRequiredDto {
  @ObjectField(
    { description: 'What the second step needs.', example: { token: TOKEN, expiresAt: '2026-11-21T12:05:00.000Z' } },
    () => LoginChallengeDto,
  )
  secondFactor!: LoginChallengeDto;
}

@ApiSchema({ description: 'The second step of a login.' })
export class SecondFactorLoginDto {
  @StringField({ maxLength: 128, description: 'The token of the first step.', example: TOKEN })
  token!: string;

  @CodeField({
    grouped: true,
    maxLength: 20,
    description: 'The six digits that the app shows, or a recovery code.',
    example: '123456',
  })
  code!: string;
}
