/*
 * git.exe for Wine: runs the git of this machine, as there is no package of git for Windows. The words that are paths of Windows are
 * translated for it, and the paths that it prints at the start of a line come back as git for Windows prints them, like C:/code/shop.
 */
#include <stdio.h>
#include <windows.h>

static const char SCRIPT[] =
    "cd \"$1\" || exit 128; out=$2 err=$3; drive=$(cd \"$4\" && pwd -P); shift 4\n"
    "git \"$@\" </dev/null >\"$out\" 2>\"$err\"; status=$?\n"
    "sed -i \"s|^\\(worktree \\)\\{0,1\\}$drive/|\\1C:/|\" \"$out\"; exit $status";

static char *(CDECL *to_unix)(LPCWSTR);
static int (CDECL *run_on_unix)(char *const[], int);

static char *as_utf8(const WCHAR *wide) {
  int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
  char *text = malloc(size);
  WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
  return text;
}

static char *translated(const WCHAR *word) {
  int is_path = iswalpha(word[0]) && word[1] == ':' && (word[2] == '\\' || word[2] == '/');
  char *path = is_path ? to_unix(word) : NULL;
  return path ? path : as_utf8(word);
}

static void print_and_delete(const WCHAR *file, DWORD stream) {
  char bytes[1 << 16];
  DWORD length, written;
  HANDLE from = CreateFileW(file, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
  while (ReadFile(from, bytes, sizeof bytes, &length, NULL) && length > 0)
    WriteFile(GetStdHandle(stream), bytes, length, &written, NULL);
  CloseHandle(from);
  DeleteFileW(file);
}

int wmain(int count, WCHAR **words) {
  WCHAR folder[MAX_PATH], here[4096], out[MAX_PATH], err[MAX_PATH];
  to_unix = (void *)GetProcAddress(GetModuleHandleA("kernel32"), "wine_get_unix_file_name");
  run_on_unix = (void *)GetProcAddress(GetModuleHandleA("ntdll"), "__wine_unix_spawnvp");
  if (!to_unix || !run_on_unix) return 127;
  GetCurrentDirectoryW(4096, here);
  GetTempPathW(MAX_PATH, folder);
  GetTempFileNameW(folder, L"git", 0, out);
  GetTempFileNameW(folder, L"git", 0, err);

  char **line = calloc(count + 8, sizeof *line);
  char *start[] = {"/bin/sh", "-c", (char *)SCRIPT, "git", to_unix(here), to_unix(out), to_unix(err), to_unix(L"C:\\")};
  for (int i = 0; i < 8; i++) line[i] = start[i];
  for (int i = 1; i < count; i++) line[7 + i] = translated(words[i]);
  int status = run_on_unix(line, TRUE);
  print_and_delete(out, STD_OUTPUT_HANDLE);
  print_and_delete(err, STD_ERROR_HANDLE);
  return status;
}
