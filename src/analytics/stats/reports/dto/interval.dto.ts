import { ApiSchema } from '@nestjs/swagger';
import { TimestampField } from '../../../../http/validation/fields.js';

@ApiSchema({ description: 'A time range: it includes `from` and excludes `to`.' })
export class IntervalDto {
  @TimestampField({ description: 'The start.', example: '2026-10-22T22:00:00.000Z' })
  from!: string;

  @TimestampField({ description: 'The end.', example: '2026-11-21T23:00:00.000Z' })
  to!: string;
}
