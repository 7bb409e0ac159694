import { ApiSchema } from '@nestjs/swagger';
import { ObjectField, TextField } from '../../common/validation/fields.js';
import { NicknameRuleDto } from './nickname-rule.dto.js';

@ApiSchema({ description: 'What to change of a shop: at least one of its settings.' })
export class UpdateShopDto {
  @TextField({ optional: true, maxLength: 80, description: 'The name that buyers see.', example: 'Sky Realm' })
  displayName?: string;

  @TextField({ optional: true, maxLength: 64, description: 'IANA time zone of statistics.', example: 'Europe/Berlin' })
  timezone?: string;

  @ObjectField(
    {
      optional: true,
      description: 'How players are named from now on; orders that were placed keep their names.',
      example: { preset: 'minecraft-java', pattern: null },
    },
    () => NicknameRuleDto,
  )
  nicknameRule?: NicknameRuleDto;
}
