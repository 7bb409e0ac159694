import { ApiSchema, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { IntegerField } from '../../../http/validation/fields.js';
import { ServerDto } from './server.dto.js';
import { ServerStatusDto } from './server-status.dto.js';

@ApiSchema({ description: 'A game server with its public status.' })
export class ListedServerDto extends IntersectionType(
  PickType(ServerDto, ['id', 'name', 'game', 'address']),
  OmitType(ServerStatusDto, ['id', 'name', 'checkedAt']),
) {
  @IntegerField({
    nullable: true,
    minimum: 0,
    maximum: 2_592_000,
    description:
      'How many seconds purchases of the last 30 days usually waited until this server had delivered them: the median of the latest ' +
      '1,000, at most about an hour old; null for fewer than 20.',
    example: 8,
  })
  medianSeconds!: number | null;
}
