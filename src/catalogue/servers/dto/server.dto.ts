import { ApiSchema, IntersectionType, PickType } from '@nestjs/swagger';
import { IdField, IntegerField, StringField, TimestampField } from '../../../http/validation/fields.js';
import { MAX_PROBLEM_LENGTH } from './heartbeat.dto.js';
import { ServerFields } from './server-fields.dto.js';
import { ServerStatusDto } from './server-status.dto.js';

@ApiSchema({ description: 'A game server of a shop.' })
export class ServerDto extends IntersectionType(
  ServerFields,
  PickType(ServerStatusDto, ['status', 'players', 'version']),
) {
  @IdField({ description: 'Identifier of the server.', example: '655f1c2ab1e4a9d3f0c81260' })
  id!: string;

  @TimestampField({
    nullable: true,
    description: 'Time of the last heartbeat or lease; null before the first.',
    example: '2026-11-21T12:00:00.000Z',
  })
  lastSeenAt!: string | null;

  @StringField({
    nullable: true,
    maxLength: MAX_PROBLEM_LENGTH,
    description: 'Why its plugin cannot deliver, as it said last; null: it has said nothing, or has called since.',
    example: null,
  })
  problem!: string | null;

  @IntegerField({
    nullable: true,
    minimum: 0,
    maximum: 2_592_000,
    description:
      'How many seconds purchases of the last 30 days usually waited until this server had delivered them: the median of the latest ' +
      '1,000, at most about an hour old; null for fewer than 20.',
    example: 8,
  })
  medianSeconds!: number | null;

  @TimestampField({ description: 'When it was created.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}
