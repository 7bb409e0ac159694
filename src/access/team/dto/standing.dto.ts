import { ApiSchema } from '@nestjs/swagger';
import { ALL_PERMISSIONS, ROLE_NAMES } from '../../../domain/principal/permissions.js';
import { ChoiceField, IdField, StringListField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'The caller in a shop, and its permissions there now.' })
export class StandingDto {
  @ChoiceField({ oneOf: ['user', 'api_key'], description: 'A person or an API key.', example: 'user' })
  type!: 'user' | 'api_key';

  @IdField({ description: 'The person, or the API key.', example: '655f1c2ab1e4a9d3f0c81230' })
  id!: string;

  @IdField({
    nullable: true,
    description: "Identifier of the person's membership; null for a key.",
    example: '655f1c2ab1e4a9d3f0c81235',
  })
  memberId!: string | null;

  @ChoiceField({
    nullable: true,
    oneOf: ROLE_NAMES,
    description: "The person's role; null for a key.",
    example: 'support',
  })
  role!: string | null;

  @StringListField({
    maxItems: ALL_PERMISSIONS.length,
    maxLength: 40,
    oneOf: ALL_PERMISSIONS,
    description:
      'The permissions of the caller, as `<resource>:<action>`. A key has only permissions that its creator has now.',
    example: ['orders:read', 'orders:write'],
  })
  permissions!: string[];
}
