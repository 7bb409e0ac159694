import { ApiSchema } from '@nestjs/swagger';
import { ALL_PERMISSIONS } from '../../../domain/principal/permissions.js';
import {
  ChoiceField,
  IdField,
  IdListField,
  InstantField,
  StringField,
  StringListField,
} from '../../../http/validation/fields.js';
import { type Moment } from '../../../lib/time/instant.js';
import { API_KEY_TYPES, type ApiKeyType } from '../api-key.types.js';
import { MAX_ADDRESS_LENGTH, MAX_ADDRESSES, MAX_SERVERS } from '../key-rules.js';

@ApiSchema({ description: 'A new API key.' })
export class CreateApiKeyDto {
  @IdField({ description: 'The shop that the key is for.', example: '655f1c2ab1e4a9d3f0c81234' })
  shopId!: string;

  @StringField({ maxLength: 80, description: 'The display name.', example: 'Survival server' })
  name!: string;

  @ChoiceField({
    oneOf: API_KEY_TYPES,
    description: '`plugin` for game servers, `storefront` for front ends, `secret` for back ends.',
    example: 'plugin',
  })
  type!: ApiKeyType;

  @StringListField({
    maxItems: ALL_PERMISSIONS.length,
    maxLength: 40,
    description: 'The permissions, as `<resource>:<action>`. The type must allow them, and you must have them.',
    example: ['deliveries:write'],
  })
  permissions!: string[];

  @InstantField({
    optional: true,
    nullable: true,
    description: 'When the key expires; null or absent: never.',
    example: '2027-11-21T12:00:00.000Z',
  })
  expiresAt?: Moment | null;

  @IdListField({
    optional: true,
    nullable: true,
    minItems: 1,
    maxItems: MAX_SERVERS,
    description: 'The game servers that the key is limited to; null or absent: all servers of the shop.',
    example: ['655f1c2ab1e4a9d3f0c81260'],
  })
  serverIds?: string[] | null;

  @StringListField({
    optional: true,
    nullable: true,
    minItems: 1,
    maxItems: MAX_ADDRESSES,
    maxLength: MAX_ADDRESS_LENGTH,
    description: 'Addresses and CIDR ranges from which the key is accepted; null or absent: from anywhere.',
    example: ['203.0.113.7', '2001:db8:12::/48'],
  })
  ipAllowlist?: string[] | null;
}
