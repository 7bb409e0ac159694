import { ApiSchema } from '@nestjs/swagger';
import { ObjectField, TextField } from '../../common/validation/fields.js';
import { UNIQUE_NAME } from '../shop-rules.js';
import { NicknameRuleDto } from './nickname-rule.dto.js';

@ApiSchema({ description: 'A shop to create.' })
export class CreateShopDto {
  @TextField({
    minLength: 3,
    maxLength: 40,
    pattern: { regex: UNIQUE_NAME, says: 'must be lower-case letters, digits and single hyphens inside' },
    description: 'Unique short name, part of the address; reserved words are rejected.',
    example: 'sky-realm',
  })
  uniqueName!: string;

  @TextField({ maxLength: 80, description: 'The name that buyers see.', example: 'Sky Realm' })
  displayName!: string;

  @TextField({ minLength: 3, maxLength: 3, description: 'ISO 4217 code of all prices.', example: 'EUR' })
  currency!: string;

  @TextField({ maxLength: 64, description: 'IANA time zone of statistics.', example: 'Europe/Berlin' })
  timezone!: string;

  @ObjectField(
    { description: 'How players are named.', example: { preset: 'minecraft-java', pattern: null } },
    () => NicknameRuleDto,
  )
  nicknameRule!: NicknameRuleDto;
}
