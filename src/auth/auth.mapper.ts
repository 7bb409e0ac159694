import { type User } from '../users/user.types.js';
import { type Tokens } from './auth.service.js';
import { type SignedInDto } from './dto/signed-in.dto.js';
import { type TokensDto } from './dto/tokens.dto.js';
import { type UserDto } from './dto/user.dto.js';

function toUserDto({ id, email, name, createdAt }: User): UserDto {
  return { id, email, name, createdAt: createdAt.toISOString() };
}

export function toTokensDto({ accessToken, refreshToken, expiresIn }: Tokens): TokensDto {
  return { accessToken, refreshToken, tokenType: 'Bearer', expiresIn };
}

export function toSignedInDto({ user, tokens }: { user: User; tokens: Tokens }): SignedInDto {
  return { user: toUserDto(user), ...toTokensDto(tokens) };
}
