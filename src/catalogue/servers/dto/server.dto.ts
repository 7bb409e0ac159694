import { ApiSchema, IntersectionType, PickType } from '@nestjs/swagger';
import { IdField, TimestampField } from '../../../http/validation/fields.js';
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

  @TimestampField({ description: 'When it was created.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}
