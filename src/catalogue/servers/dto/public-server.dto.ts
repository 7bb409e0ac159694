import { ApiSchema, PickType } from '@nestjs/swagger';
import { ServerDto } from './server.dto.js';

@ApiSchema({ description: 'A game server as everybody may see it.' })
export class PublicServerDto extends PickType(ServerDto, ['id', 'name', 'game']) {}
