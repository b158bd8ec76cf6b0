//===- mlt-sim.cpp - Simulates launches of PVC kernels --------------------===//
//
// A process of its own, so that no binary can take the caller down. Reads the
// names of launch descriptions from standard input, or takes one as argument,
// and answers each with a line of JSON: {"cpu_seconds": S, "counts": [...],
// "bytes": [...]}, lists by instruction, or {"error": "..."}. A description has
// lines "key values...":
//
//   listing FILE            disassembly of the kernel by iga64; read once
//   simd N | registers N | slm BYTES | scratch BYTES | poison BYTE
//   ids FORM BYTES          local ids of a thread: none, rows or packed
//   groups X Y Z | local X Y Z
//   cross FILE              cross-thread data
//   memory ADDRESS SIZE FILE   an allocation; results go back to FILE
//   written ADDRESS SIZE FILE  which of its bytes were written, one each; only
//                              checks look at it and keep it up to date
//   checks 0|1 | interleave SEED | workers N
//
//===----------------------------------------------------------------------===//

#include "Simulator/Machine.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace mltc::sim;

namespace {

std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw SimError("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A file mapped for the time of a launch.
class Mapping {
public:
  Mapping(const std::string &path, size_t size) : size(size) {
    int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) || !size ||
        size_t(status.st_size) < size) {
      if (file >= 0)
        close(file);
      throw SimError("cannot map " + path);
    }
    bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (bytes == MAP_FAILED)
      throw SimError("cannot map " + path);
  }
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;
  ~Mapping() { munmap(bytes, size); }

  uint8_t *data() const { return static_cast<uint8_t *>(bytes); }

private:
  void *bytes;
  size_t size;
};

/// One launch, with what it takes to run it.
struct Request {
  Launch launch;
  Memory memory;
  std::vector<std::unique_ptr<Mapping>> mappings;
  std::string listing;
};

using Words = std::istringstream;

std::string rest(Words &words) {
  std::string path;
  std::getline(words >> std::ws, path);
  return path;
}

uint32_t *numberOf(Launch &launch, const std::string &key) {
  return key == "simd"         ? &launch.simd
         : key == "registers"  ? &launch.registers
         : key == "slm"        ? &launch.slmBytes
         : key == "scratch"    ? &launch.scratchBytes
         : key == "interleave" ? &launch.interleave
         : key == "workers"    ? &launch.workers
                               : nullptr;
}

void readIds(Words &words, Launch &launch) {
  std::string form;
  words >> form >> launch.idBytes;
  if (form == "rows")
    launch.ids = LocalIds::Rows;
  else if (form == "packed")
    launch.ids = LocalIds::Packed;
  else if (form != "none")
    throw SimError("unknown form of local ids: " + form);
}

void readLine(const std::string &line, Request &request) {
  Launch &launch = request.launch;
  Words words(line);
  std::string key;
  words >> key;
  if (key == "listing") {
    request.listing = rest(words);
  } else if (key == "cross") {
    std::string bytes = contents(rest(words));
    launch.crossThread.assign(bytes.begin(), bytes.end());
  } else if (key == "memory" || key == "written") {
    uint64_t address, size;
    words >> address >> size;
    request.mappings.push_back(std::make_unique<Mapping>(rest(words), size));
    uint8_t *bytes = request.mappings.back()->data();
    if (key == "memory")
      request.memory.map(address, size, bytes);
    else
      request.memory.track(address, size, bytes);
  } else if (key == "groups" || key == "local") {
    auto &counts = key == "groups" ? launch.groups : launch.local;
    words >> counts[0] >> counts[1] >> counts[2];
  } else if (key == "ids") {
    readIds(words, launch);
  } else if (key == "poison") {
    unsigned value;
    words >> value;
    launch.poison = uint8_t(value);
  } else if (key == "checks") {
    words >> launch.checks;
  } else if (uint32_t *number = numberOf(launch, key)) {
    words >> *number;
  } else {
    throw SimError("unknown key in the launch description: " + line);
  }
  if (words.fail())
    throw SimError("malformed line in the launch description: " + line);
}

/// The executable form of a listing, made once.
const Program &program(const std::string &listing, uint32_t registers) {
  static std::map<std::pair<std::string, uint32_t>, Program> programs;
  auto key = std::make_pair(listing, registers);
  auto found = programs.find(key);
  if (found != programs.end())
    return found->second;
  Program made = decode(contents(listing));
  bind(made, registers);
  return programs.emplace(key, std::move(made)).first->second;
}

void printList(const char *name, const std::vector<uint64_t> &values) {
  std::printf("\"%s\": [", name);
  for (size_t i = 0; i < values.size(); ++i)
    std::printf(i ? ", %llu" : "%llu", (unsigned long long)values[i]);
  std::printf("]");
}

void printError(const char *text) {
  std::printf("{\"error\": \"");
  for (; *text; ++text) {
    unsigned char c = static_cast<unsigned char>(*text);
    if (c == '"' || c == '\\')
      std::printf("\\%c", c);
    else if (c < 32 || c > 126)
      std::printf("\\u%04x", c);
    else
      std::putchar(c);
  }
  std::printf("\"}\n");
}

/// Of all threads of this process.
double cpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// Answers one request; false if it failed.
bool answer(const std::string &path) {
  try {
    Request request;
    std::istringstream lines(contents(path));
    for (std::string line; std::getline(lines, line);)
      if (!line.empty())
        readLine(line, request);
    request.launch.program =
        &program(request.listing, request.launch.registers);
    double start = cpuSeconds();
    Profile profile = Machine(request.launch, request.memory).run();
    std::printf("{\"cpu_seconds\": %.9f, ", cpuSeconds() - start);
    printList("counts", profile.counts);
    std::printf(", ");
    printList("bytes", profile.bytes);
    std::printf("}\n");
  } catch (const std::exception &error) {
    printError(error.what());
    return false;
  }
  return true;
}

#if defined(__x86_64__) && !defined(MLT_SIM_V3)
/// Goes on as the faster program beside this one, if the host can run it.
void startFaster(char **argv) {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 4);
  if (length <= 0 || !__builtin_cpu_supports("x86-64-v3"))
    return;
  std::string path(self, size_t(length));
  execv((path + "-v3").c_str(), argv); // without it this program does
}
#endif

} // namespace

int main(int argc, char **argv) {
  if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
    std::fprintf(
        stderr, "usage: mlt-sim [LAUNCH]\n\nSimulates launches of PVC kernels. "
                "Without LAUNCH reads names of launch\ndescriptions from "
                "standard input. `mltc run --device sim:pvc` writes them.\n");
    return argc == 2 && std::string(argv[1]) == "--help" ? 0 : 2;
  }
#if defined(__x86_64__) && !defined(MLT_SIM_V3)
  startFaster(argv);
#endif
  if (argc == 2)
    return answer(argv[1]) ? 0 : 1;
  for (std::string line; std::getline(std::cin, line);) {
    answer(line);
    std::fflush(stdout);
  }
  return 0;
}
