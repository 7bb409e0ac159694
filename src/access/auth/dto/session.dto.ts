import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IntegerField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';

@ApiSchema({ description: 'A session of the caller that has not ended.' })
export class SessionDto {
  @IdField({ description: 'Identifier of the session.', example: '655f1c2ab1e4a9d3f0c81235' })
  id!: string;

  @StringField({
    nullable: true,
    maxLength: 200,
    description: 'The `User-Agent` of the client at the login; null when it sent none.',
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  })
  device!: string | null;

  @BooleanField({ description: 'Whether this request belongs to the session.', example: true })
  current!: boolean;

  @TimestampField({ description: 'When the person logged in.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;

  @TimestampField({
    description: 'The time of the login, or of the latest refresh.',
    example: '2026-11-21T12:30:00.000Z',
  })
  lastUsedAt!: string;

  @TimestampField({ description: 'When the session expires.', example: '2026-12-21T12:00:00.000Z' })
  expiresAt!: string;
}

@ApiSchema({ description: 'The result of ending sessions.' })
export class SessionsEndedDto {
  @IntegerField({ minimum: 0, maximum: 1_000_000, description: 'How many sessions were ended.', example: 1 })
  sessionsEnded!: number;
}

@ApiSchema({ description: 'The response to every logout.' })
export class LoggedOutDto {
  @ChoiceField({
    oneOf: ['logged_out'],
    description: 'Always the same, also when there was no such session.',
    example: 'logged_out',
  })
  status!: 'logged_out';
}
