import { ApiSchema } from '@nestjs/swagger';
import { IdField, TimestampField } from '../../../http/validation/fields.js';
import { TierGroupFields } from './tier-group-fields.dto.js';

@ApiSchema({ description: 'A group of tiers of a shop.' })
export class TierGroupDto extends TierGroupFields {
  @IdField({ description: 'Identifier of the group.', example: '655f1c2ab1e4a9d3f0c812b0' })
  id!: string;

  @TimestampField({ description: 'When it was created.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}
