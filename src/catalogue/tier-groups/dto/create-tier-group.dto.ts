import { ApiSchema } from '@nestjs/swagger';
import { BodyToCreate } from '../../../http/validation/derived-body.js';
import { TierGroupFields } from './tier-group-fields.dto.js';

@ApiSchema({ description: 'A group of tiers to make.' })
export class CreateTierGroupDto extends BodyToCreate(TierGroupFields, ['name', 'productIds']) {}
