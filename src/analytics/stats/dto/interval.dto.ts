import { ApiSchema } from '@nestjs/swagger';
import { TimestampField } from '../../../platform/validation/fields.js';

@ApiSchema({ description: 'A stretch of time: `from` is part of it, `to` is not.' })
export class IntervalDto {
  @TimestampField({ description: 'Its first moment.', example: '2026-10-22T22:00:00.000Z' })
  from!: string;

  @TimestampField({ description: 'The first moment after it.', example: '2026-11-21T23:00:00.000Z' })
  to!: string;
}
