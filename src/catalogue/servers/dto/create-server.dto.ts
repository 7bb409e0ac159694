import { ApiSchema } from '@nestjs/swagger';
import { BodyToCreate } from '../../../http/validation/derived-body.js';
import { ServerFields } from './server-fields.dto.js';

@ApiSchema({ description: 'A game server to register. Its status is public unless the body says otherwise.' })
export class CreateServerDto extends BodyToCreate(ServerFields, ['name', 'game']) {}
