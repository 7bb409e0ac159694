import { ApiSchema } from '@nestjs/swagger';
import { ALL_PERMISSIONS, ROLE_NAMES } from '../../../domain/principal/permissions.js';
import {
  ChoiceField,
  EmailField,
  IdField,
  IntegerField,
  ObjectListField,
  StringField,
  StringListField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { MAX_USER_NAME_LENGTH } from '../../../accounts/users/user.types.js';
import { InvitationDto } from './invitation.dto.js';

@ApiSchema({ description: "A member of a shop's team." })
export class MemberDto {
  @IdField({ description: 'Identifier of the membership.', example: '655f1c2ab1e4a9d3f0c81235' })
  id!: string;

  @IdField({ description: 'The person.', example: '655f1c2ab1e4a9d3f0c81230' })
  userId!: string;

  @StringField({ maxLength: MAX_USER_NAME_LENGTH, description: "The person's name.", example: 'Alex' })
  name!: string;

  @EmailField({ description: "The person's email address.", example: 'owner@example.com' })
  email!: string;

  @ChoiceField({ oneOf: ROLE_NAMES, description: 'The role: a named set of permissions.', example: 'owner' })
  role!: string;

  @StringListField({
    maxItems: ALL_PERMISSIONS.length,
    maxLength: 40,
    oneOf: ALL_PERMISSIONS,
    description: 'The permissions of the role, as `<resource>:<action>`.',
    example: ['orders:read', 'orders:write'],
  })
  permissions!: string[];

  @ChoiceField({
    oneOf: ['active'],
    description: 'Always `active`. People who left are not listed.',
    example: 'active',
  })
  status!: 'active';

  @TimestampField({ description: 'When the person joined.', example: '2026-11-21T12:00:00.000Z' })
  joinedAt!: string;

  @TimestampField({
    nullable: true,
    description: 'When the person, or one of their API keys, last used the shop (accurate to one minute); null: never.',
    example: '2026-11-21T12:00:00.000Z',
  })
  lastActiveAt!: string | null;
}

@ApiSchema({ description: "A shop's team: its members and its open invitations." })
export class TeamDto {
  @ObjectListField(
    {
      maxItems: 1000,
      description: 'The members in the order in which they joined.',
      example: [
        {
          id: '655f1c2ab1e4a9d3f0c81235',
          userId: '655f1c2ab1e4a9d3f0c81230',
          name: 'Alex',
          email: 'owner@example.com',
          role: 'analyst',
          permissions: ['products:read', 'orders:read', 'deliveries:read', 'entitlements:read', 'stats:read'],
          status: 'active',
          joinedAt: '2026-11-21T12:00:00.000Z',
          lastActiveAt: null,
        },
      ],
    },
    () => MemberDto,
  )
  members!: MemberDto[];

  @ObjectListField(
    {
      maxItems: 1000,
      description: 'The open invitations.',
      example: [
        {
          id: '655f1c2ab1e4a9d3f0c81236',
          email: 'helper@example.com',
          role: 'support',
          expiresAt: '2026-11-28T12:00:00.000Z',
        },
      ],
    },
    () => InvitationDto,
  )
  invitations!: InvitationDto[];

  @IntegerField({ minimum: 0, maximum: 1000, description: 'How many members there are.', example: 1 })
  total!: number;
}
