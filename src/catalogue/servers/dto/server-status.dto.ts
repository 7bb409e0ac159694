import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IntegerField,
  ObjectField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';

@ApiSchema({ description: 'The number of players on a server, and the largest number possible.' })
export class PlayersDto {
  @IntegerField({ minimum: 0, maximum: 1_000_000, description: 'Players online.', example: 42 })
  online!: number;

  @IntegerField({ minimum: 0, maximum: 1_000_000, description: 'The largest number of players.', example: 100 })
  max!: number;
}

@ApiSchema({ description: 'The public status of a game server.' })
export class ServerStatusDto {
  @IdField({ description: 'Identifier of the server.', example: '655f1c2ab1e4a9d3f0c81260' })
  id!: string;

  @StringField({ maxLength: 80, description: 'Name.', example: 'Survival' })
  name!: string;

  @ChoiceField({
    oneOf: ['online', 'offline', 'unknown'],
    description: '`unknown` before the first heartbeat or lease, `offline` 90 seconds after the last one.',
    example: 'online',
  })
  status!: string;

  @ObjectField(
    { nullable: true, description: 'Players; null unless heartbeats arrive.', example: { online: 42, max: 100 } },
    () => PlayersDto,
  )
  players!: PlayersDto | null;

  @StringField({ nullable: true, maxLength: 64, description: "The game server's version.", example: 'Paper 1.21.4' })
  version!: string | null;

  @IntegerField({
    nullable: true,
    minimum: 0,
    maximum: 60_000,
    description: 'Latency in milliseconds; null unless heartbeats arrive and report it.',
    example: 12,
  })
  latencyMs!: number | null;

  @TimestampField({
    nullable: true,
    description: 'Time of the last heartbeat or lease; null before the first.',
    example: '2026-11-21T12:00:00.000Z',
  })
  lastSeenAt!: string | null;

  @TimestampField({ description: 'Time of this response.', example: '2026-11-21T12:00:05.000Z' })
  checkedAt!: string;

  @BooleanField({
    description: 'Whether the server was silent for more than 30 seconds or the record is from memory.',
    example: false,
  })
  stale!: boolean;
}
