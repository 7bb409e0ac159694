import { ApiSchema, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { ServerDto } from './server.dto.js';
import { ServerStatusDto } from './server-status.dto.js';

@ApiSchema({ description: 'A game server with its public status.' })
export class ListedServerDto extends IntersectionType(
  PickType(ServerDto, ['id', 'name', 'game', 'address', 'medianSeconds']),
  OmitType(ServerStatusDto, ['id', 'name', 'checkedAt']),
) {}
