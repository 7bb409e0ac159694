import { ApiSchema } from '@nestjs/swagger';
import { IdField, StringField, TimestampField } from '../../../http/validation/fields.js';
import { CONNECT_CODE_LENGTH } from '../connect-code-format.js';

const CODE = 'connect_0f6c1e8a7b254d3f9c0a1b2c3d4e5f60';

@ApiSchema({ description: 'A code that connects an agent, once.' })
export class ConnectCodeDto {
  @StringField({ maxLength: CONNECT_CODE_LENGTH, description: 'The code. It is shown only here.', example: CODE })
  code!: string;

  @TimestampField({ description: 'Until when it can be used: 15 minutes.', example: '2026-11-21T12:15:00.000Z' })
  expiresAt!: string;
}

@ApiSchema({ description: 'The code of a game server.' })
export class ConnectDto {
  @StringField({ maxLength: CONNECT_CODE_LENGTH, description: 'The code, as the shop showed it.', example: CODE })
  code!: string;
}

@ApiSchema({ description: 'What an agent needs for its game server.' })
export class ConnectedDto {
  @StringField({
    maxLength: 40,
    description:
      'A plugin key with `deliveries:write` and `servers:report`, bound to the game server. It is stored only as a hash.',
    example: 'shp_(36-characters-shown-this-once)',
  })
  key!: string;

  @IdField({ description: 'The key, to revoke it.', example: '655f1c2ab1e4a9d3f0c81240' })
  keyId!: string;

  @IdField({ description: 'The shop.', example: '655f1c2ab1e4a9d3f0c81234' })
  shopId!: string;

  @IdField({ description: 'The game server.', example: '655f1c2ab1e4a9d3f0c81260' })
  serverId!: string;

  @StringField({ maxLength: 64, description: 'The name of the game server.', example: 'Survival' })
  serverName!: string;
}
