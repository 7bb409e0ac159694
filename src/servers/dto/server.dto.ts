import { ApiSchema } from '@nestjs/swagger';
import { BooleanField, IdField, TextField, TimestampField } from '../../common/validation/fields.js';

@ApiSchema({ description: 'A game server of a shop.' })
export class ServerDto {
  @IdField({ description: 'Identifier of the server.', example: '655f1c2ab1e4a9d3f0c81260' })
  id!: string;

  @TextField({ maxLength: 80, description: 'Name.', example: 'Survival' })
  name!: string;

  @TextField({ maxLength: 40, description: 'The game.', example: 'minecraft' })
  game!: string;

  @TextField({ nullable: true, maxLength: 253, description: 'Where players connect.', example: 'play.example.com' })
  address!: string | null;

  @BooleanField({ description: 'Whether its public status is hidden.', example: false })
  isHidden!: boolean;

  @TimestampField({
    nullable: true,
    description: 'Time of the last heartbeat; null before the first.',
    example: '2026-11-21T12:00:00.000Z',
  })
  lastSeenAt!: string | null;

  @TimestampField({ description: 'When it was created.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}
