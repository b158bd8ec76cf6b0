# Helpers shared by every folder of lib/ and tools/.
#
# All targets reuse one precompiled header (mltc_pch): a source file that
# includes MLIR costs 20-30 s of g++ on its own and a few seconds with it.

# mltc_library(NAME SOURCES ... DEPENDS ... LINK ...)
function(mltc_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM mltc_pch)
endfunction()

# mltc_tool(NAME SOURCES ... LINK ...): an executable installed with the Python
# package. LLVM comes from the wheel's shared library, found relative to the
# tool first (installed in a venv) and at its build-time place otherwise.
function(mltc_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM mltc_pch)
  target_link_options(${name} PRIVATE -Wl,--gc-sections -Wl,-s)
  # Installed into a venv's bin/, beside the site-packages with the LLVM wheel.
  set_target_properties(${name} PROPERTIES
    BUILD_RPATH "${LLVM_LIBRARY_DIRS}"
    INSTALL_RPATH "$ORIGIN/../lib/python${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}/site-packages/llvm/lib")
  install(TARGETS ${name} RUNTIME DESTINATION ${SKBUILD_SCRIPTS_DIR})
endfunction()
