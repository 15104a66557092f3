/* Preloaded into a process: counts its calls on files below a folder and, at the Nth, kills it or fails
   the call. Without hostile_arm() it does nothing. Calls are of three classes: those that change files,
   those that read them, and locks. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CHANGE = 1, READ = 2, LOCK = 4 };
struct page { long count; char name[32]; char path[1000]; };
static struct page *page;
static char root[PATH_MAX];
static int classes, code, sticky;
static long at;

__attribute__((constructor)) static void start(void) {
  page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

struct page *hostile_page(void) { return page; }

/* at: which call (0: none, only count); code: the errno, or 0 to kill the process group; sticky: also all later. */
void hostile_arm(const char *below, int which, long nth, int error, int from_then_on) {
  strncpy(root, below, sizeof root - 1);
  memset(page, 0, 4096);
  classes = which; at = nth; code = error; sticky = from_then_on;
}

static int below_root(const char *path) {
  size_t n = strlen(root);
  return n && strncmp(path, root, n) == 0 && (path[n] == '/' || path[n] == 0);
}

static void full_path(int dir, const char *path, char *to) {
  char link[64];
  ssize_t n = 0;
  if (path && path[0] == '/') { snprintf(to, PATH_MAX, "%s", path); return; }
  if (dir == AT_FDCWD) n = getcwd(to, PATH_MAX) ? (ssize_t)strlen(to) : 0;
  else {
    snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
    n = readlink(link, to, PATH_MAX - 1);
  }
  if (n < 0) n = 0;
  to[n] = 0;
  if (path && path[0]) snprintf(to + n, PATH_MAX - n, "/%s", path);
}

/* Whether this call is to fail. */
static int strike(const char *name, int class, int dir, const char *path) {
  char full[PATH_MAX];
  int before = errno;
  if (!(classes & class) || !root[0]) return 0;
  full_path(dir, path, full);
  errno = before;
  if (!below_root(full)) return 0;
  long now = __atomic_add_fetch(&page->count, 1, __ATOMIC_SEQ_CST);
  if (!at || now < at || (now > at && !sticky)) return 0;
  if (now == at) {
    snprintf(page->name, sizeof page->name, "%s", name);
    snprintf(page->path, sizeof page->path, "%.999s", full);
  }
  if (!code) { kill(0, SIGKILL); for (;;) pause(); }
  errno = code;
  return 1;
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define BY_FD(ret, name, class, args, pass) \
  ret name args { REAL(name); if (strike(#name, class, fd, 0)) return -1; return real pass; }
#define BY_PATH(ret, name, class, args, pass) \
  ret name args { REAL(name); if (strike(#name, class, AT_FDCWD, path)) return -1; return real pass; }
#define BY_AT(ret, name, class, args, pass) \
  ret name args { REAL(name); if (strike(#name, class, dir, path)) return -1; return real pass; }

BY_FD(ssize_t, write, CHANGE, (int fd, const void *b, size_t n), (fd, b, n))
BY_FD(ssize_t, pwrite, CHANGE, (int fd, const void *b, size_t n, off_t o), (fd, b, n, o))
BY_FD(ssize_t, pwrite64, CHANGE, (int fd, const void *b, size_t n, off64_t o), (fd, b, n, o))
BY_FD(ssize_t, writev, CHANGE, (int fd, const struct iovec *v, int n), (fd, v, n))
BY_FD(int, fsync, CHANGE, (int fd), (fd))
BY_FD(int, fdatasync, CHANGE, (int fd), (fd))
BY_FD(int, ftruncate, CHANGE, (int fd, off_t n), (fd, n))
BY_FD(int, ftruncate64, CHANGE, (int fd, off64_t n), (fd, n))
BY_FD(int, fallocate, CHANGE, (int fd, int m, off_t o, off_t n), (fd, m, o, n))
BY_FD(int, fallocate64, CHANGE, (int fd, int m, off64_t o, off64_t n), (fd, m, o, n))
BY_FD(int, fchmod, CHANGE, (int fd, mode_t m), (fd, m))
BY_FD(ssize_t, read, READ, (int fd, void *b, size_t n), (fd, b, n))
BY_FD(ssize_t, pread, READ, (int fd, void *b, size_t n, off_t o), (fd, b, n, o))
BY_FD(ssize_t, pread64, READ, (int fd, void *b, size_t n, off64_t o), (fd, b, n, o))
BY_FD(int, flock, LOCK, (int fd, int how), (fd, how))
BY_PATH(int, unlink, CHANGE, (const char *path), (path))
BY_PATH(int, rmdir, CHANGE, (const char *path), (path))
BY_PATH(int, mkdir, CHANGE, (const char *path, mode_t m), (path, m))
BY_PATH(int, chmod, CHANGE, (const char *path, mode_t m), (path, m))
BY_AT(int, unlinkat, CHANGE, (int dir, const char *path, int f), (dir, path, f))
BY_AT(int, mkdirat, CHANGE, (int dir, const char *path, mode_t m), (dir, path, m))
BY_AT(int, fchmodat, CHANGE, (int dir, const char *path, mode_t m, int f), (dir, path, m, f))

int rename(const char *path, const char *to) {
  REAL(rename);
  return strike("rename", CHANGE, AT_FDCWD, to) ? -1 : real(path, to);
}
int renameat(int a, const char *path, int b, const char *to) {
  REAL(renameat);
  return strike("renameat", CHANGE, b, to) ? -1 : real(a, path, b, to);
}
int renameat2(int a, const char *path, int b, const char *to, unsigned f) {
  REAL(renameat2);
  return strike("renameat2", CHANGE, b, to) ? -1 : real(a, path, b, to, f);
}
int link(const char *path, const char *to) {
  REAL(link);
  return strike("link", CHANGE, AT_FDCWD, to) ? -1 : real(path, to);
}
int linkat(int a, const char *path, int b, const char *to, int f) {
  REAL(linkat);
  return strike("linkat", CHANGE, b, to) ? -1 : real(a, path, b, to, f);
}
int msync(void *b, size_t n, int f) {
  REAL(msync);
  return strike("msync", CHANGE, AT_FDCWD, root) ? -1 : real(b, n, f);
}
ssize_t copy_file_range(int in, off64_t *a, int fd, off64_t *b, size_t n, unsigned f) {
  REAL(copy_file_range);
  return strike("copy_file_range", CHANGE, fd, 0) ? -1 : real(in, a, fd, b, n, f);
}

#define CLASS(flags) ((flags) & (O_CREAT | O_TRUNC) ? CHANGE : READ)
#define MODE(flags) \
  mode_t m = 0; if ((flags) & (O_CREAT | O_TMPFILE)) { va_list l; va_start(l, flags); m = va_arg(l, mode_t); va_end(l); }
#define OPEN(name) int name(const char *path, int flags, ...) { MODE(flags) REAL(name); \
  return strike(#name, CLASS(flags), AT_FDCWD, path) ? -1 : real(path, flags, m); }
#define OPENAT(name) int name(int dir, const char *path, int flags, ...) { MODE(flags) REAL(name); \
  return strike(#name, CLASS(flags), dir, path) ? -1 : real(dir, path, flags, m); }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

#define FCNTL(name) int name(int fd, int what, ...) { va_list l; va_start(l, what); void *arg = va_arg(l, void *); \
  va_end(l); REAL(name); \
  if ((what == F_SETLK || what == F_SETLKW || what == F_OFD_SETLK) && strike(#name, LOCK, fd, 0)) return -1; \
  return real(fd, what, arg); }
FCNTL(fcntl)
FCNTL(fcntl64)
