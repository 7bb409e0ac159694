import { ApiSchema } from '@nestjs/swagger';
import { IntegerField, ObjectField, TimestampField } from '../../../http/validation/fields.js';
import { UserDto } from './user.dto.js';

@ApiSchema({ description: 'The account, and how long its session lasts. The session is in a cookie, not in the body.' })
export class ConsoleSessionDto {
  @ObjectField(
    {
      description: 'The account.',
      example: {
        id: '655f1c2ab1e4a9d3f0c81230',
        email: 'owner@example.com',
        emailConfirmed: true,
        name: 'Alex',
        createdAt: '2026-11-21T12:00:00.000Z',
      },
    },
    () => UserDto,
  )
  user!: UserDto;

  @TimestampField({ description: 'When the session expires.', example: '2026-12-21T12:00:00.000Z' })
  expiresAt!: string;
}

@ApiSchema({
  description: 'The response to a change of the password with the session cookie: the new session is in a cookie too.',
})
export class ConsolePasswordChangedDto extends ConsoleSessionDto {
  @IntegerField({
    minimum: 1,
    maximum: 1_000_000,
    description: 'How many sessions were ended, including the one of this request.',
    example: 1,
  })
  sessionsEnded!: number;
}
