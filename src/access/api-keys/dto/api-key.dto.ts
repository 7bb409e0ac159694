import { ApiSchema } from '@nestjs/swagger';
import { ALL_PERMISSIONS } from '../../../domain/principal/permissions.js';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IdListField,
  StringField,
  StringListField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { API_KEY_TYPES } from '../api-key.types.js';
import { MAX_ADDRESS_LENGTH, MAX_ADDRESSES, MAX_SERVERS } from '../key-rules.js';

@ApiSchema({ description: 'The API key record of the contract.' })
export class ApiKeyDto {
  @IdField({ description: 'Identifier of the key.', example: '655f1c2ab1e4a9d3f0c81240' })
  id!: string;

  @StringField({ maxLength: 80, description: 'The display name.', example: 'Survival server' })
  name!: string;

  @StringListField({
    maxItems: 2,
    maxLength: 5,
    oneOf: ['read', 'write'],
    description: 'The actions that the key allows. The full list is in `scopes` of the details.',
    example: ['read', 'write'],
  })
  permissions!: string[];

  @ChoiceField({
    oneOf: API_KEY_TYPES,
    description: 'The type of the key. It limits the permissions that the key can have.',
    example: 'plugin',
  })
  type!: string;

  @StringField({ maxLength: 13, description: 'The first characters of the key.', example: 'shp_4fT9aQ...' })
  keyPreview!: string;

  @BooleanField({ description: 'Whether the key works: it is neither revoked nor expired.', example: true })
  isActive!: boolean;

  @TimestampField({ description: 'When the key was created.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}

@ApiSchema({
  description: 'The API key record with all details.',
})
export class ApiKeyDetailsDto extends ApiKeyDto {
  @StringListField({
    maxItems: ALL_PERMISSIONS.length,
    maxLength: 40,
    oneOf: ALL_PERMISSIONS,
    description: 'All permissions of the key.',
    example: ['deliveries:write'],
  })
  scopes!: string[];

  @IdField({ description: 'The shop that the key is for.', example: '655f1c2ab1e4a9d3f0c81234' })
  shopId!: string;

  @IdListField({
    nullable: true,
    minItems: 1,
    maxItems: MAX_SERVERS,
    description: 'The game servers that the key is limited to; null: all servers of the shop.',
    example: ['655f1c2ab1e4a9d3f0c81260'],
  })
  serverIds!: string[] | null;

  @StringListField({
    nullable: true,
    minItems: 1,
    maxItems: MAX_ADDRESSES,
    maxLength: MAX_ADDRESS_LENGTH,
    description: 'The addresses and CIDR ranges from which the key is accepted; null: from anywhere.',
    example: ['203.0.113.7', '2001:db8:12::/48'],
  })
  ipAllowlist!: string[] | null;

  @TimestampField({
    nullable: true,
    description: 'When the key was last used (accurate to one minute); null: never.',
    example: null,
  })
  lastUsedAt!: string | null;

  @TimestampField({ nullable: true, description: 'When the key expires; null: never.', example: null })
  expiresAt!: string | null;

  @TimestampField({ nullable: true, description: 'When the key was revoked; null: it is not revoked.', example: null })
  revokedAt!: string | null;

  @TimestampField({
    nullable: true,
    description: 'When the key was last rotated; null: never.',
    example: '2026-11-21T12:00:00.000Z',
  })
  rotatedAt!: string | null;

  @TimestampField({
    nullable: true,
    description: 'Until when the previous secret is accepted too; null: it is not accepted.',
    example: '2026-11-22T12:00:00.000Z',
  })
  previousKeyExpiresAt!: string | null;

  @IdField({
    description: 'The person who created the key. The key never has more permissions than that person.',
    example: '655f1c2ab1e4a9d3f0c81230',
  })
  createdBy!: string;
}

@ApiSchema({ description: 'The details of a new or rotated API key, with the key itself.' })
export class CreatedApiKeyDto extends ApiKeyDetailsDto {
  @StringField({
    maxLength: 40,
    description: 'The key. It is shown only once.',
    example: 'shp_(36-characters-shown-this-once)',
  })
  key!: string;
}
