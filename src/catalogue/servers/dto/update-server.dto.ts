import { ApiSchema } from '@nestjs/swagger';
import { BodyToUpdate } from '../../../http/validation/derived-body.js';
import { ServerFields } from './server-fields.dto.js';

@ApiSchema({ description: 'Changes of a game server. An absent field keeps its value, null clears it.' })
export class UpdateServerDto extends BodyToUpdate(ServerFields) {}
