import { ApiSchema } from '@nestjs/swagger';
import { ObjectField } from '../../../http/validation/fields.js';
import { TokensDto } from './tokens.dto.js';
import { UserDto } from './user.dto.js';

@ApiSchema({ description: 'The account, and the tokens of a new session.' })
export class SignedInDto extends TokensDto {
  @ObjectField(
    {
      description: 'The account.',
      example: {
        id: '655f1c2ab1e4a9d3f0c81230',
        email: 'owner@example.com',
        emailConfirmed: true,
        name: 'Alex',
        createdAt: '2026-11-21T12:00:00.000Z',
      },
    },
    () => UserDto,
  )
  user!: UserDto;
}
