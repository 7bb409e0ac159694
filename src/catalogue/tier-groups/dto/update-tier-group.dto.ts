import { ApiSchema } from '@nestjs/swagger';
import { BodyToUpdate } from '../../../http/validation/derived-body.js';
import { TierGroupFields } from './tier-group-fields.dto.js';

@ApiSchema({ description: 'Changes of a group of tiers. An absent field keeps its value.' })
export class UpdateTierGroupDto extends BodyToUpdate(TierGroupFields) {}
