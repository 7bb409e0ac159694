import { type AuthContext } from '../../domain/principal/auth-context.js';
import { type User } from '../../accounts/users/user.types.js';
import { OtherResponse } from '../../http/routes/responds-with.decorator.js';
import { type SecondFactorRequired, type SignedIn } from './auth.service.js';
import { type ConsolePasswordChangedDto, type ConsoleSessionDto } from './dto/console-session.dto.js';
import { type PasswordChangedDto } from './dto/password.dto.js';
import { type SecondFactorRequiredDto } from './dto/second-factor-login.dto.js';
import { type SessionDto } from './dto/session.dto.js';
import { type SignedInDto } from './dto/signed-in.dto.js';
import { type TokensDto } from './dto/tokens.dto.js';
import { type UserDto } from './dto/user.dto.js';
import { type PasswordChanged } from './password.service.js';
import { type SessionDetails, type Tokens } from './session.types.js';

export function toUserDto({ id, email, isEmailProven, name, createdAt }: User): UserDto {
  return { id, email, emailConfirmed: isEmailProven, name, createdAt: createdAt.toISOString() };
}

export function toTokensDto({ accessToken, refreshToken, expiresIn }: Tokens): TokensDto {
  return { accessToken, refreshToken, tokenType: 'Bearer', expiresIn };
}

export function toSignedInDto({ user, tokens }: SignedIn): SignedInDto {
  return { user: toUserDto(user), ...toTokensDto(tokens) };
}

/** Leaves the tokens out. */
export function toConsoleSessionDto({ user, session }: SignedIn): ConsoleSessionDto {
  return { user: toUserDto(user), expiresAt: session.expiresAt.toISOString() };
}

/** The response to a change with the cookie: another cookie has the new session. */
export function toConsolePasswordChanged(result: PasswordChanged): OtherResponse<ConsolePasswordChangedDto> {
  const data = { ...toConsoleSessionDto(result), sessionsEnded: result.sessionsEnded };
  return new OtherResponse(data, 'Password changed; the cookie has the new session');
}

export function toPasswordChangedDto(result: PasswordChanged): PasswordChangedDto {
  return { ...toSignedInDto(result), sessionsEnded: result.sessionsEnded };
}

/** The result of a login: the tokens, or the token for the second step. */
export function toLoginResponse(
  result: SignedIn | SecondFactorRequired,
): SignedInDto | OtherResponse<SecondFactorRequiredDto> {
  return 'user' in result ? toSignedInDto(result) : toSecondFactorResponse(result);
}

export function toSecondFactorResponse({
  token,
  expiresAt,
}: SecondFactorRequired): OtherResponse<SecondFactorRequiredDto> {
  const secondFactor = { token, expiresAt: expiresAt.toISOString() };
  return new OtherResponse({ secondFactor }, 'The password is right; send the code of the second factor');
}

export function toSessionDto(session: SessionDetails, { credentialId }: AuthContext): SessionDto {
  const { id, createdAt, lastUsedAt, expiresAt, device } = session;
  return {
    id,
    device,
    current: id === credentialId,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
