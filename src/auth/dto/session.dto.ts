import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IntegerField,
  TextField,
  TimestampField,
} from '../../common/validation/fields.js';

@ApiSchema({ description: 'A login of the caller that is not over.' })
export class SessionDto {
  @IdField({ description: 'Identifier of the session.', example: '655f1c2ab1e4a9d3f0c81235' })
  id!: string;

  @TextField({
    nullable: true,
    maxLength: 200,
    description: 'What the client said of itself at the login (`User-Agent`); null: nothing.',
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  })
  device!: string | null;

  @BooleanField({ description: 'Whether this request was made in the session.', example: true })
  current!: boolean;

  @TimestampField({ description: 'When the person logged in.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;

  @TimestampField({ description: 'The login, or the latest refresh since.', example: '2026-11-21T12:30:00.000Z' })
  lastUsedAt!: string;

  @TimestampField({ description: 'When the session ends by itself.', example: '2026-12-21T12:00:00.000Z' })
  expiresAt!: string;
}

@ApiSchema({ description: 'What came of ending sessions.' })
export class SessionsEndedDto {
  @IntegerField({ minimum: 0, maximum: 1_000_000, description: 'How many sessions were ended.', example: 1 })
  sessionsEnded!: number;
}

@ApiSchema({ description: 'The answer to every logout.' })
export class LoggedOutDto {
  @ChoiceField({
    oneOf: ['logged_out'],
    description: 'Always the same, whether or not there was such a session.',
    example: 'logged_out',
  })
  status!: 'logged_out';
}
