import { ApiSchema, PickType } from '@nestjs/swagger';
import { ServerDto } from './server.dto.js';

@ApiSchema({ description: 'The public view of a game server.' })
export class PublicServerDto extends PickType(ServerDto, ['id', 'name', 'game']) {}
