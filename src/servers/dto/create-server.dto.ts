import { ApiSchema } from '@nestjs/swagger';
import { BooleanField, TextField } from '../../common/validation/fields.js';

@ApiSchema({ description: 'A game server to register.' })
export class CreateServerDto {
  @TextField({ maxLength: 80, description: 'Name.', example: 'Survival' })
  name!: string;

  @TextField({ maxLength: 40, description: 'The game.', example: 'minecraft' })
  game!: string;

  @TextField({
    optional: true,
    nullable: true,
    maxLength: 253,
    description: 'Where players connect.',
    example: 'play.example.com',
  })
  address?: string | null;

  @BooleanField({ optional: true, description: 'Whether to hide its public status.', example: false })
  isHidden?: boolean;
}
