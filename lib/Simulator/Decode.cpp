//===- Decode.cpp - From a listing to instructions ------------------------===//
//
// Reads the text iga64 prints. Encodings are iga64's business; what this parser
// does not recognise completely is refused, so that nothing is executed on a
// guess.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Instruction.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>

using namespace mltc::sim;

namespace {

struct OpInfo {
  Op op;
  int sources;
};

const std::map<std::string, OpInfo> opcodes = {
    {"mov", {Op::Mov, 1}},    {"sel", {Op::Sel, 2}},
    {"cmp", {Op::Cmp, 2}},    {"not", {Op::Not, 1}},
    {"and", {Op::And, 2}},    {"or", {Op::Or, 2}},
    {"xor", {Op::Xor, 2}},    {"shl", {Op::Shl, 2}},
    {"shr", {Op::Shr, 2}},    {"asr", {Op::Asr, 2}},
    {"rol", {Op::Rol, 2}},    {"ror", {Op::Ror, 2}},
    {"bfn", {Op::Bfn, 3}},    {"add", {Op::Add, 2}},
    {"add3", {Op::Add3, 3}},  {"mul", {Op::Mul, 2}},
    {"mad", {Op::Mad, 3}},    {"mach", {Op::Mach, 2}},
    {"macl", {Op::Macl, 2}},  {"math", {Op::Math, 1}},
    {"rndd", {Op::Rndd, 1}},  {"rnde", {Op::Rnde, 1}},
    {"csel", {Op::Csel, 3}},  {"addc", {Op::Addc, 2}},
    {"subb", {Op::Subb, 2}},  {"avg", {Op::Avg, 2}},
    {"mac", {Op::Mac, 2}},    {"dp4a", {Op::Dp4a, 3}},
    {"bfe", {Op::Bfe, 3}},    {"bfi1", {Op::Bfi1, 2}},
    {"bfi2", {Op::Bfi2, 3}},  {"fbh", {Op::Fbh, 1}},
    {"call", {Op::Call, 0}},  {"calla", {Op::Calla, 0}},
    {"ret", {Op::Ret, 0}},    {"rndz", {Op::Rndz, 1}},
    {"rndu", {Op::Rndu, 1}},  {"frc", {Op::Frc, 1}},
    {"cbit", {Op::Cbit, 1}},  {"fbl", {Op::Fbl, 1}},
    {"lzd", {Op::Lzd, 1}},    {"bfrev", {Op::Bfrev, 1}},
    {"jmpi", {Op::Jmpi, 0}},  {"goto", {Op::Goto, 0}},
    {"join", {Op::Join, 0}},  {"send", {Op::Send, 0}},
    {"sends", {Op::Send, 0}}, {"dpas", {Op::Dpas, 3}},
    {"sync", {Op::Sync, 0}},  {"nop", {Op::Nop, 0}},
    {"madm", {Op::Madm, 3}}};

const std::map<std::string, Cond> conditions = {
    {"eq", Cond::Eq},        {"ne", Cond::Ne},     {"lt", Cond::Lt},
    {"le", Cond::Le},        {"gt", Cond::Gt},     {"ge", Cond::Ge},
    {"un", Cond::Unordered}, {"eo", Cond::Special}};
const std::map<std::string, Math> functions = {
    {"inv", Math::Inv},    {"sqt", Math::Sqrt}, {"sqrt", Math::Sqrt},
    {"rsqt", Math::Rsqt},  {"exp", Math::Exp},  {"log", Math::Log},
    {"sin", Math::Sin},    {"cos", Math::Cos},  {"invm", Math::Invm},
    {"rsqtm", Math::Rsqtm}};
const std::map<std::string, Port> ports = {
    {"ugm", Port::Ugm},      {"ugml", Port::Ugm}, {"slm", Port::Slm},
    {"gtwy", Port::Gateway}, {"dc0", Port::Dc0},  {"dc1", Port::Dc1}};

[[noreturn]] void refuse(const std::string &what, const std::string &text) {
  throw SimError(what + " in: " + text);
}

/// The value of a bfn expression for every combination of three bits.
class BfnParser {
public:
  explicit BfnParser(const char *at) : at(at) {}
  /// Operands as truth tables: combination k has s0 = k&1, s1 = k>>1&1, ...
  int orExpr() {
    return chain('|', [this] { return xorExpr(); });
  }
  const char *end() const { return at; }

private:
  template <typename Next> int chain(char op, Next next) {
    int value = next();
    while (*at == op) {
      ++at;
      int right = next();
      value = op == '|'   ? value | right
              : op == '^' ? value ^ right
                          : value & right;
    }
    return value;
  }
  int xorExpr() {
    return chain('^', [this] { return andExpr(); });
  }
  int andExpr() {
    return chain('&', [this] { return unary(); });
  }
  int unary() {
    if (*at == '~')
      return ++at, ~unary() & 255;
    if (*at == '(') {
      ++at;
      int value = orExpr();
      if (*at++ != ')')
        throw SimError("expected ')' in a bfn expression");
      return value;
    }
    static const int tables[] = {0xAA, 0xCC, 0xF0};
    if (*at != 's' || at[1] < '0' || at[1] > '2')
      throw SimError("expected s0, s1 or s2 in a bfn expression");
    int value = tables[at[1] - '0'];
    at += 2;
    return value;
  }
  const char *at;
};

struct File {
  const char *prefix;
  int base, stride, count;
};
// "acc" before "a": the longest prefix has to be tried first.
const File files[] = {
    {"acc", accBase, grfBytes, 16}, {"cr", controlBase, 16, 1},
    {"sr", stateBase, 16, 1},       {"r", grfBase, grfBytes, 256},
    {"f", flagBase, 4, 4},          {"a", addressBase, 32, 1}};

/// Reads a non-negative number and moves behind it.
int number(const char *&at, const std::string &text) {
  if (*at < '0' || *at > '9')
    refuse("expected a number", text);
  char *end;
  long value = std::strtol(at, &end, 10);
  if (value > 65535)
    refuse("number out of range", text);
  at = end;
  return int(value);
}

/// Parses "r12.3" up to the region or type; `sub` is in elements.
void registerName(const char *&at, int &base, int &sub,
                  const std::string &text) {
  for (const File &file : files) {
    size_t length = std::strlen(file.prefix);
    if (std::strncmp(at, file.prefix, length) || at[length] < '0' ||
        at[length] > '9')
      continue;
    at += length;
    int index = number(at, text);
    if (index >= file.count)
      refuse("no such register", text);
    base = file.base + index * file.stride;
    sub = 0;
    if (*at == '.' && at[1] >= '0' && at[1] <= '9')
      sub = number(++at, text);
    return;
  }
  refuse("unknown register '" + std::string(at) + "'", text);
}

void region(const char *&at, Operand &operand, const std::string &text) {
  int values[3], count = 0;
  const char *open = at;
  do {
    ++at; // '<', ';' or ','
    if (count == 3)
      refuse("unknown region", text);
    values[count++] = number(at, text);
  } while (*at == ';' || *at == ',');
  if (*at++ != '>')
    refuse("unknown region " + std::string(open), text);
  if (count == 3)
    operand.vertical = values[0], operand.width = values[1],
    operand.step = values[2];
  else if (count == 2 && operand.access == Access::Indirect)
    // <W,S>: every W elements have an address of their own.
    operand.perLaneAddress = true, operand.width = values[0],
    operand.step = values[1];
  else if (count == 2 && values[1])
    operand.vertical = values[0], operand.width = values[0] / values[1],
    operand.step = values[1];
  else // <V;0> and <V>: one element after the other
    operand.vertical = values[0], operand.width = 1, operand.step = 0;
  if (operand.width < 1)
    refuse("region of width 0", text);
}

/// Eight elements packed in a dword: integers of 4 bits or floats of 8.
bool vectorImmediate(Operand &operand, const std::string &type, uint64_t bits) {
  std::vector<uint64_t> elements;
  if (type == "uv" || type == "v") {
    operand.type = type == "uv" ? Type::UW : Type::W;
    for (int i = 0; i < 8; ++i) {
      int value = bits >> 4 * i & 15;
      elements.push_back(
          uint16_t(type == "v" && value > 7 ? value - 16 : value));
    }
  } else if (type == "vf") { // sign, 3 bits of exponent, 4 of fraction
    operand.type = Type::F;
    for (int i = 0; i < 4; ++i) {
      uint32_t byte = bits >> 8 * i & 255;
      uint32_t magnitude = ((byte >> 4 & 7) + 124) << 23 | (byte & 15) << 19;
      elements.push_back((byte & 127 ? magnitude : 0) | byte >> 7 << 31);
    }
  } else {
    return false;
  }
  operand.constant = std::make_shared<std::vector<uint64_t>>(elements);
  return true;
}

/// "qnan(0x1)" and "snan(0x1)" with a sign; false if it is neither.
bool nanBits(Type type, const char *digits, char **end, uint64_t &bits) {
  const char *at = digits + (*digits == '-');
  if (std::strncmp(at, "qnan(", 5) && std::strncmp(at, "snan(", 5))
    return false;
  int fraction = type == Type::HF ? 10 : type == Type::DF ? 52 : 23;
  int width = 8 * info(type).size;
  uint64_t exponents = (uint64_t(1) << (width - 1 - fraction)) - 1;
  bits = std::strtoull(at + 5, end, 0) | exponents << fraction |
         uint64_t(*at == 'q') << (fraction - 1) |
         uint64_t(*digits == '-') << (width - 1);
  if (**end == ')')
    ++*end;
  return true;
}

uint64_t floatBits(Type type, const char *digits, char **end) {
  uint64_t nan;
  if (nanBits(type, digits, end, nan))
    return nan;
  if (type == Type::F)
    return floatToBits(std::strtof(digits, end));
  double value = std::strtod(digits, end);
  if (type == Type::HF)
    return doubleToHalf(value);
  if (type == Type::BF)
    return floatToBfloat(float(value));
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return bits;
}

void immediate(const std::string &token, Operand &operand,
               const std::string &text) {
  size_t colon = token.find(':');
  if (colon == std::string::npos)
    refuse("expected a type behind '" + token + "'", text);
  std::string digits = token.substr(0, colon), type = token.substr(colon + 1);
  operand.kind = Operand::Immediate;
  operand.access = Access::Immediate;
  char *end;
  bool hex = digits.find("0x") != std::string::npos;
  uint64_t bits = digits[0] == '-'
                      ? uint64_t(std::strtoll(digits.c_str(), &end, 0))
                      : std::strtoull(digits.c_str(), &end, 0);
  if (!*end && vectorImmediate(operand, type, bits))
    return;
  operand.type = parseType(type);
  if (operand.type == Type::None || operand.type == Type::TF32)
    refuse("unknown type '" + type + "'", text);
  if (info(operand.type).isFloat &&
      (!hex || digits.find("nan(") != std::string::npos))
    bits = floatBits(operand.type, digits.c_str(), &end);
  if (*end)
    refuse("unknown immediate '" + digits + "'", text);
  operand.constant = std::make_shared<std::vector<uint64_t>>(1, bits);
}

/// ".mme3" and ".nomme" of the operands of an IEEE macro; without a region all
/// lanes follow one another.
void extension(const char *&at, Operand &operand, const std::string &text) {
  if (!std::strncmp(at, ".nomme", 6)) {
    at += 6;
  } else {
    if (std::strncmp(at, ".mme", 4) || at[4] < '0' || at[4] > '7')
      refuse("unknown register", text);
    operand.extension = at[4] - '0';
    at += 5;
  }
  operand.vertical = 1;
}

/// "r[a0.2,-32]" up to the region.
void indirect(const char *&at, Operand &operand, const std::string &text) {
  at += 2;
  if (std::strncmp(at, "a0.", 3))
    refuse("expected an address register", text);
  at += 3;
  operand.addressWord = number(at, text);
  operand.access = Access::Indirect;
  if (*at == ',') {
    char *end;
    operand.offset = int(std::strtol(at + 1, &end, 0));
    at = end;
  }
  if (*at++ != ']' || operand.addressWord > 15 ||
      std::abs(operand.offset) > 4096)
    refuse("unknown indirect operand", text);
}

Operand parseOperand(const std::string &token, const std::string &text) {
  Operand operand;
  const char *at = token.c_str();
  bool number = at[*at == '-'] >= '0' && at[*at == '-'] <= '9';
  if (!number) {
    if (*at == '~')
      operand.complement = true, ++at;
    if (*at == '-')
      operand.negate = true, ++at;
    if (!std::strncmp(at, "(abs)", 5))
      operand.absolute = true, at += 5;
  }
  if ((*at >= '0' && *at <= '9') || *at == '-' ||
      !std::strncmp(at, "inf:", 4) || !std::strncmp(at, "qnan(", 5) ||
      !std::strncmp(at, "snan(", 5)) {
    immediate(operand.negate ? token : at, operand, text);
    operand.negate = false; // the sign is the number's
    return operand;
  }
  const char *colon = std::strrchr(at, ':');
  if (!std::strncmp(at, "null", 4)) {
    at += 4;
  } else {
    operand.kind = Operand::Register;
    operand.type = colon ? parseType(colon + 1) : Type::UD;
    if (!std::strncmp(at, "r[", 2)) {
      indirect(at, operand, text);
    } else {
      int sub;
      registerName(at, operand.offset, sub, text);
      operand.offset += sub * info(operand.type).size;
      if (*at == '.')
        extension(at, operand, text);
    }
  }
  if (*at == '<')
    region(at, operand, text);
  if (*at == ':')
    operand.type = parseType(at + 1);
  else if (*at)
    refuse("unknown operand '" + token + "'", text);
  // A null payload or accumulator carries no type.
  if (operand.type == Type::None && (operand.kind != Operand::Null || *at))
    refuse("unknown type of '" + token + "'", text);
  return operand;
}

/// "f1.0" as a bit number.
int flagBit(const char *&at, const std::string &text) {
  if (*at++ != 'f')
    refuse("expected a flag register", text);
  int index = number(at, text), sub = 0;
  if (*at == '.')
    sub = number(++at, text);
  if (index > 3 || sub > 1)
    refuse("no such flag register", text);
  return index * 32 + sub * 16;
}

class LineParser {
public:
  LineParser(const std::string &text, std::map<std::string, int> &labels)
      : text(text), labels(labels) {}

  Instruction parse() {
    size_t comment = text.find("//");
    std::string body = text.substr(0, comment);
    source = std::make_shared<Source>();
    inst.source = source;
    source->text = text;
    if (comment != std::string::npos) {
      size_t message = text.rfind("; ");
      if (message != std::string::npos && message > comment)
        source->comment = text.substr(message + 2);
    }
    annotations(body);
    std::istringstream stream(body);
    for (std::string token; stream >> token;)
      tokens.push_back(token);
    if (tokens.empty())
      refuse("expected an instruction", text);
    if (tokens[0][0] == '(')
      predicate(next());
    opcode(next());
    if (inst.op == Op::Sync)
      return sync();
    if (inst.op == Op::Nop)
      return inst;
    if (more() && peek()[0] == '(' && peek().find('|') != std::string::npos)
      size(next());
    if (inst.op == Op::Jmpi || inst.op == Op::Goto || inst.op == Op::Join ||
        inst.op == Op::Call || inst.op == Op::Calla || inst.op == Op::Ret)
      branch();
    else if (inst.op == Op::Send)
      send();
    else
      operands();
    if (more())
      refuse("unexpected '" + peek() + "'", text);
    return inst;
  }

private:
  bool more() const { return position < tokens.size(); }
  const std::string &peek() const { return tokens[position]; }
  std::string next() {
    if (!more())
      refuse("unexpected end", text);
    return tokens[position++];
  }

  /// "$5" sets a token, "$5.dst" and "$5.src" wait for it.
  void token(const std::string &word) {
    const char *at = word.c_str() + 1;
    Token found = {Token::Set, uint8_t(number(at, text))};
    if (!std::strcmp(at, ".dst"))
      found.kind = Token::WaitDst;
    else if (!std::strcmp(at, ".src"))
      found.kind = Token::WaitSrc;
    else if (*at)
      refuse("unknown annotation '" + word + "'", text);
    if (found.id > 31)
      refuse("no such token", text);
    source->tokens.push_back(found);
  }

  void annotations(std::string &body) {
    size_t open = body.find('{');
    if (open == std::string::npos)
      return;
    size_t close = body.find('}', open);
    std::istringstream words(body.substr(
        open + 1, close == std::string::npos ? close : close - open - 1));
    for (std::string word; std::getline(words, word, ',');) {
      word.erase(0, word.find_first_not_of(' '));
      inst.endOfThread |= word == "EOT";
      if (word[0] == '$')
        token(word);
    }
    body.erase(open);
  }

  /// sync.nop null; sync.allrd ($1,$2) or null; sync.bar and its number.
  Instruction sync() {
    bool reads = source->waitsForReads, writes = source->waitsForWrites;
    source->waitsForReads = source->waitsForWrites = false;
    for (; more(); ++position) {
      const std::string &word = peek();
      if (word[0] != '(')
        continue;
      if (word.find('|') != std::string::npos)
        continue; // an execution size
      std::istringstream list(word.substr(1, word.size() - 2));
      for (std::string one; std::getline(list, one, ',');) {
        if (one[0] != '$')
          refuse("expected tokens", text);
        token(one + (reads ? ".src" : ".dst"));
      }
      return inst;
    }
    source->waitsForReads = reads;
    source->waitsForWrites = writes;
    if (inst.barrier) {
      const std::string &last = tokens.back();
      const char *at = last.c_str();
      inst.flag = last[0] == 'n' ? 0 : int16_t(std::strtol(at, nullptr, 0));
      if (inst.flag < 0 || inst.flag > 31)
        refuse("no such barrier", text);
    }
    return inst;
  }

  void predicate(const std::string &token) {
    const char *at = token.c_str() + 1;
    if (*at == 'W') {
      inst.writeEnable = true;
      ++at;
      if (*at == '&')
        ++at;
    }
    if (*at != ')') {
      inst.predicated = true;
      if (*at == '~')
        inst.inverted = true, ++at;
      inst.predicate = int16_t(flagBit(at, text));
    }
    if (std::strcmp(at, ")"))
      refuse("unknown predicate " + token, text);
  }

  void opcode(const std::string &token) {
    size_t dot = token.find('.');
    std::string name = token.substr(0, dot);
    source->name = name;
    std::string rest = dot == std::string::npos ? "" : token.substr(dot + 1);
    auto found = opcodes.find(name);
    if (found == opcodes.end())
      refuse("unknown instruction '" + token + "'", text);
    inst.op = found->second.op;
    inst.sources = found->second.sources;
    suffix(rest);
  }

  void suffix(const std::string &rest) {
    bool good = rest.empty();
    if (inst.op == Op::Bfn) {
      BfnParser parser(rest.c_str());
      inst.table = uint8_t(parser.orExpr());
      good = !*parser.end();
    } else if (inst.op == Op::Math) {
      good = functions.count(rest);
      if (good)
        inst.math = functions.at(rest);
      if (good && inst.math == Math::Invm)
        inst.sources = 2;
    } else if (inst.op == Op::Send) {
      good = ports.count(rest);
      if (good)
        inst.port = ports.at(rest);
    } else if (inst.op == Op::Dpas) {
      good = rest.size() == 3 && rest[0] == '8' && rest[1] == 'x' &&
             rest[2] >= '1' && rest[2] <= '8';
      inst.repeat = good ? uint8_t(rest[2] - '0') : 0;
    } else if (inst.op == Op::Sync) {
      inst.barrier = rest == "bar";
      source->waitsForReads = rest == "allrd";
      source->waitsForWrites = rest == "allwr";
      good = rest == "nop" || rest == "allrd" || rest == "allwr" ||
             rest == "bar" || rest == "fence" || rest == "host";
    } else if (inst.op == Op::Goto && rest == "b") {
      good = inst.backward = true;
    }
    if (!good)
      refuse("unknown suffix '." + rest + "'", text);
  }

  void size(const std::string &token) {
    const char *at = token.c_str() + 1;
    int lanes = number(at, text);
    if (std::strncmp(at, "|M", 2) || lanes < 1 || lanes > maxLanes)
      refuse("unknown execution size", text);
    at += 2;
    int channel = number(at, text);
    if (std::strcmp(at, ")") || channel + lanes > maxLanes)
      refuse("unknown mask offset", text);
    inst.lanes = uint8_t(lanes);
    inst.channel = uint8_t(channel);
  }

  int target(const std::string &token) {
    auto found = labels.find(token);
    if (found == labels.end())
      refuse("unknown label '" + token + "'", text);
    return found->second;
  }

  void branch() {
    if (inst.op == Op::Ret) {
      inst.src[0] = parseOperand(next(), text);
      return;
    }
    if (inst.op == Op::Call || inst.op == Op::Calla)
      inst.dst = parseOperand(next(), text);
    if (inst.op == Op::Calla)
      refuse("a call to a function outside the kernel", text);
    inst.jip = target(next());
    if (inst.op == Op::Goto)
      inst.uip = target(next());
  }

  /// A constant, or a dword of the address register.
  uint32_t descriptor(int &word) {
    std::string token = next();
    if (!token.compare(0, 3, "a0.")) {
      const char *at = token.c_str() + 3;
      word = number(at, text);
      if (word > 7 || (*at && std::strncmp(at, "<0;1,0>:ud", 10)))
        refuse("unknown message descriptor '" + token + "'", text);
      return 0;
    }
    char *end;
    unsigned long value = std::strtoul(token.c_str(), &end, 0);
    if (token[0] < '0' || token[0] > '9' || *end)
      refuse("expected a message descriptor, found '" + token + "'", text);
    return uint32_t(value);
  }

  void send() {
    inst.dst = parseOperand(next(), text);
    inst.src[0] = parseOperand(next(), text);
    std::string payload = next();
    size_t colon = payload.find(':');
    if (colon == std::string::npos)
      refuse("expected the length of a payload", text);
    const char *at = payload.c_str() + colon + 1;
    inst.payloadLength = number(at, text);
    inst.src[1] = parseOperand(payload.substr(0, colon), text);
    inst.extended = descriptor(inst.extendedWord);
    inst.descriptor = descriptor(inst.descriptorWord);
  }

  void condition() {
    std::string token = next();
    if (token == "(sat)") {
      inst.saturate = true;
      return;
    }
    size_t close = token.find(')');
    auto found = conditions.find(
        close == std::string::npos ? "" : token.substr(1, close - 1));
    if (found == conditions.end())
      refuse("unknown modifier " + token, text);
    inst.cond = found->second;
    const char *at = token.c_str() + close + 1;
    inst.flag = int16_t(flagBit(at, text));
    if (*at)
      refuse("unknown modifier " + token, text);
  }

  void operands() {
    while (more() && peek()[0] == '(' && peek().compare(0, 5, "(abs)") &&
           (peek() == "(sat)" || peek().compare(0, 5, "(sat)")))
      condition();
    std::string destination = next();
    if (!destination.compare(0, 5, "(sat)"))
      inst.saturate = true, destination.erase(0, 5);
    inst.dst = parseOperand(destination, text);
    for (int i = 0; i < inst.sources; ++i)
      spread(inst.src[i] = parseOperand(next(), text));
  }

  /// Packed integers lie a word apart: for a dword of the destination every
  /// second one counts.
  void spread(Operand &operand) const {
    bool isInteger = operand.type == Type::W || operand.type == Type::UW;
    if (!operand.constant || operand.constant->size() != 8 || !isInteger ||
        inst.dst.vertical != 1 || info(inst.dst.type).size != 4)
      return;
    const std::vector<uint64_t> &packed = *operand.constant;
    operand.constant =
        std::make_shared<std::vector<uint64_t>>(std::initializer_list<uint64_t>{
            packed[0], packed[2], packed[4], packed[6]});
  }

  const std::string &text;
  std::map<std::string, int> &labels;
  std::vector<std::string> tokens;
  size_t position = 0;
  Instruction inst;
  std::shared_ptr<Source> source;
};

} // namespace

Program mltc::sim::decode(const std::string &listing) {
  std::map<std::string, int> labels;
  std::vector<std::string> lines;
  std::istringstream stream(listing);
  for (std::string line; std::getline(stream, line);) {
    size_t begin = line.find_first_not_of(" \t"), colon = line.find(':');
    if (begin == std::string::npos || !line.compare(begin, 2, "//"))
      continue;
    if (line[0] == 'L' && colon != std::string::npos) {
      labels[line.substr(0, colon)] = int(lines.size());
      continue;
    }
    lines.push_back(line.substr(begin));
  }
  Program program;
  // Padding behind the end.
  while (!lines.empty() && !lines.back().compare(0, 7, "illegal"))
    lines.pop_back();
  for (const std::string &line : lines)
    program.code.push_back(LineParser(line, labels).parse());
  if (program.code.empty())
    throw SimError("expected code, found an empty listing");
  return program;
}
