// page: serves the page that shows how the filters work, to this machine only.
#include <fmt/format.h>
#include <httplib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "cli/common.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDetails =
    R"text(Serves the page that shows what happens in a filter, on the loopback address: no other machine can reach it.
The page is one file that works without a server too; --where prints its path, for a browser to open.
Its URL goes to standard output. End it with Ctrl-C.

Examples:
  bloomery page
  bloomery page --port 8080
  xdg-open "$(bloomery page --where)"
)text";

constexpr const char* kHost = "127.0.0.1";

struct Options {
  std::string file;
  unsigned port = 0;
  bool where = false;
};

// Where the page is if the tool is installed, or stands in the build folder.
fs::path find_page() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path installed = folder / ".." / "share" / "bloomery" / "page.html";
  const fs::path built = folder / ".." / ".." / "page" / "bloomery.html";
  for (const fs::path& candidate : {installed, built})
    if (fs::exists(candidate, error)) return fs::weakly_canonical(candidate);
  throw Failure{fmt::format("the page is not at {}; build it with scripts/page, or name it with --file",
                            installed.lexically_normal().string())};
}

std::string read_page(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in || text.empty()) throw Failure{fmt::format("cannot read the page {}", path.string())};
  return text;
}

int serve(const std::string& page, unsigned port) {
  httplib::Server server;
  // Never two servers on one port: httplib would let the second one in.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.Get("/", [&page](const httplib::Request&, httplib::Response& response) {
    response.set_header("X-Content-Type-Options", "nosniff");
    response.set_header("Cache-Control", "no-cache");
    response.set_content(page, "text/html; charset=utf-8");
  });
  const int bound = port == 0 ? server.bind_to_any_port(kHost)
                              : (server.bind_to_port(kHost, static_cast<int>(port)) ? static_cast<int>(port) : -1);
  if (bound < 0) throw Failure{fmt::format("--port: cannot listen on {}; is it in use? 0 takes a free one", port)};
  print_text(STDOUT_FILENO, fmt::format("http://{}:{}/", kHost, bound));
  if (!server.listen_after_bind()) throw Failure{"the server ended"};
  return kExitSuccess;
}

int run(const Options& options) {
  const fs::path path = options.file.empty() ? find_page() : fs::path(options.file);
  if (options.where) {
    print_text(STDOUT_FILENO, path.string());
    return kExitSuccess;
  }
  return serve(read_page(path), options.port);
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("--port", options->port, "Port (0: any that is free)")->check(CLI::Range(0, 65535))->type_name("N");
  app.add_option("--file", options->file, "The page, if it is somewhere else")->type_name("PAGE");
  app.add_flag("--where", options->where, "Print the path of the page, and end");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Verb kPage = {"page", "[OPTION]...", "Show how filters work, in a browser", kDetails, add};

}  // namespace cli
