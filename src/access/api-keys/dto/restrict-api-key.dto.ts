import { ApiSchema, PickType } from '@nestjs/swagger';
import { ApiKeyDetailsDto } from './api-key.dto.js';

/** Both fields are required, so that nobody removes a restriction by leaving it out. */
@ApiSchema({ description: 'The restrictions of an API key. They replace all previous ones.' })
export class RestrictApiKeyDto extends PickType(ApiKeyDetailsDto, ['serverIds', 'ipAllowlist']) {}
